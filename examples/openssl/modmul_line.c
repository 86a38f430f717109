/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "modmul_line.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <termios.h>
#include <unistd.h>

static int open_tcp(const char *where) {
    char host[256];
    const char *colon = strrchr(where, ':');
    struct addrinfo hints, *found, *each;
    int file = -1, on = 1;
    if (colon == NULL || colon == where || (size_t)(colon - where) >= sizeof host) return errno = EINVAL, -1;
    memcpy(host, where, (size_t)(colon - where));
    host[colon - where] = '\0';
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, colon + 1, &hints, &found)) return errno = ENOENT, -1;
    for (each = found; each != NULL && file < 0; each = each->ai_next) {
        file = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (file >= 0 && connect(file, each->ai_addr, each->ai_addrlen)) {
            close(file);
            file = -1;
        }
    }
    freeaddrinfo(found);
    if (file >= 0) (void)setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return file;
}

static int open_serial(const char *where) {
    struct termios settings;
    const int file = open(where, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return -1;
    if (tcgetattr(file, &settings) == 0) {
        cfmakeraw(&settings);
        settings.c_cc[VMIN] = 0;
        settings.c_cc[VTIME] = 50; /* tenths of a second without a byte */
        if (cfsetspeed(&settings, B1000000) == 0 && tcsetattr(file, TCSANOW, &settings) == 0) return file;
    }
    close(file);
    return -1;
}

int modmul_line_open(const char *where) {
    return strncmp(where, "tcp:", 4) == 0 ? open_tcp(where + 4) : open_serial(where);
}

/* Send a command and take what comes back: 0 if its first byte says so. */
static int ask(int file, const uint8_t *command, size_t length, uint8_t *back, size_t count) {
    size_t at;
    ssize_t moved;
    for (at = 0; at < length; at += (size_t)moved) {
        moved = write(file, command + at, length - at);
        if (moved <= 0) return 1;
    }
    for (at = 0; at < count; at += (size_t)moved) {
        moved = read(file, back + at, count - at);
        if (moved <= 0) return 1;
    }
    return back[0];
}

int modmul_line_read(void *handle, uint32_t address, uint32_t *value) {
    const uint8_t command[3] = {'R', (uint8_t)(address & 0xffu), (uint8_t)(address >> 8 & 0xffu)};
    uint8_t back[5];
    if (ask(*(const int *)handle, command, sizeof command, back, sizeof back)) return 1;
    *value = back[1] | (uint32_t)back[2] << 8 | (uint32_t)back[3] << 16 | (uint32_t)back[4] << 24;
    return 0;
}

int modmul_line_write(void *handle, uint32_t address, uint32_t value) {
    const uint8_t command[7] = {
        'W',
        (uint8_t)(address & 0xffu),
        (uint8_t)(address >> 8 & 0xffu),
        (uint8_t)(value & 0xffu),
        (uint8_t)(value >> 8 & 0xffu),
        (uint8_t)(value >> 16 & 0xffu),
        (uint8_t)(value >> 24),
    };
    uint8_t back[1];
    return ask(*(const int *)handle, command, sizeof command, back, sizeof back);
}
