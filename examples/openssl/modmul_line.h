/* SPDX-License-Identifier: Apache-2.0 */
/* A device at the end of a line of bytes, for POSIX: TCP, or a serial line (docs/bus.md). */
#ifndef MODMUL_LINE_H
#define MODMUL_LINE_H

#include <stdint.h>

/* Open "tcp:HOST:PORT", or a serial line by its file, such as /dev/ttyUSB0, at 1,000,000 bits a second, 8N1.
 * A file descriptor, or -1 with errno set. */
int modmul_line_open(const char *where);

/* For modmul_device.read and .write; handle points to the file descriptor, an int. */
int modmul_line_read(void *handle, uint32_t address, uint32_t *value);
int modmul_line_write(void *handle, uint32_t address, uint32_t value);

#endif
