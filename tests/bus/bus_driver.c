/* SPDX-License-Identifier: Apache-2.0 */
/* The C driver at a line on standard input and output: an operation too early, the context, operations from the
 * command line (x and y in hexadecimal words, the least significant first), and one that is out of range. */
#include <stdio.h>
#include <stdlib.h>

#include "modmul_bus.h"
#include "modmul_context.h"

enum { WORDS = MODMUL_OPERAND_WORDS };

static int answer(uint8_t *bytes, size_t count) {
    return fflush(stdout) || fread(bytes, 1, count, stdin) != count || bytes[0];
}

static int line_read(void *handle, uint32_t address, uint32_t *value) {
    uint8_t back[5];
    (void)handle;
    printf("R%c%c", (int)(address & 0xffu), (int)(address >> 8));
    if (answer(back, 5)) return 1;
    *value = back[1] | (uint32_t)back[2] << 8 | (uint32_t)back[3] << 16 | (uint32_t)back[4] << 24;
    return 0;
}

static int line_write(void *handle, uint32_t address, uint32_t value) {
    uint8_t back[1];
    (void)handle;
    printf("W%c%c%c%c%c%c", (int)(address & 0xffu), (int)(address >> 8), (int)(value & 0xffu),
           (int)(value >> 8 & 0xffu), (int)(value >> 16 & 0xffu), (int)(value >> 24));
    return answer(back, 1);
}

static void expect(int got, int wanted, const char *what) {
    if (got != wanted) {
        fprintf(stderr, "%s: %d, not %d\n", what, got, wanted);
        exit(1);
    }
}

int main(int count, char **arguments) {
    modmul_device device = {line_read, line_write, NULL, NULL, 100000u, 0, 0, 0};
    uint32_t x[WORDS], y[WORDS], z[WORDS];
    int place, word;
    expect(modmul_open(&device, MODMUL_CONTEXT_BUILD + 1u), MODMUL_FAILED_BUILD, "another build");
    expect(modmul_open(&device, MODMUL_CONTEXT_BUILD), 0, "open");
    for (word = 0; word < WORDS; ++word) x[word] = y[word] = 0xffffffffu;
    expect(modmul_run(&device, z, x, y, WORDS, 0), (int)MODMUL_CODE_NO_CONTEXT, "no context");
    expect(modmul_load(&device, modmul_context, MODMUL_CONTEXT_WORDS - device.slices), (int)MODMUL_CODE_SHORT,
           "short context");
    expect(modmul_load(&device, modmul_context, MODMUL_CONTEXT_WORDS), 0, "context");
    expect(modmul_run(&device, z, x, y, WORDS, 0), (int)MODMUL_CODE_RANGE, "out of range");
    for (word = 0; word < WORDS; ++word) expect((int)z[word], 0, "nothing comes with an error");
    expect(modmul_run(&device, z, x, y, 0, 0), (int)MODMUL_CODE_SHORT, "no operands");
    for (place = 1; place + 2 * WORDS <= count; place += 2 * WORDS) {
        for (word = 0; word < WORDS; ++word) {
            x[word] = (uint32_t)strtoul(arguments[place + word], NULL, 16);
            y[word] = (uint32_t)strtoul(arguments[place + WORDS + word], NULL, 16);
        }
        expect(modmul_run(&device, z, x, y, WORDS, 0), 0, "operation");
        for (word = 0; word < WORDS; ++word) fprintf(stderr, "%08lx ", (unsigned long)z[word]);
        fprintf(stderr, "\n");
    }
    return 0;
}
