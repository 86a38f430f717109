/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver in C99 for a core or a system of modmul on a bus (docs/bus.md). It allocates nothing and keeps no copy of
 * what passes through. Numbers are arrays of 32-bit words, the least significant first.
 *
 * Every function returns 0, or what went wrong: a positive code of the device (MODMUL_CODE_... in
 * modmul_registers.h), or one of the negative values below. After one of these a part of a frame may be in the device:
 * modmul_reset, and load the context again.
 */
#ifndef MODMUL_BUS_H
#define MODMUL_BUS_H

#include <stddef.h>
#include <stdint.h>

#include "modmul_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MODMUL_FAILED_BUS (-1)      /* a read or write was answered with an error */
#define MODMUL_FAILED_STUCK (-2)    /* the device was asked `patience` times */
#define MODMUL_FAILED_ID (-3)       /* there is no modmul device, or one of another version */
#define MODMUL_FAILED_BUILD (-4)    /* it is another build */
#define MODMUL_FAILED_ANSWER (-5)   /* the answer is that of another frame, or has another length */

typedef struct modmul_device {
    /* The way to the registers, by their addresses: 0 for success. */
    int (*read)(void *handle, uint32_t address, uint32_t *value);
    int (*write)(void *handle, uint32_t address, uint32_t value);
    void (*pause)(void *handle, uint32_t turn); /* called before asking again; may be NULL */
    void *handle;                               /* handed to all three */
    uint32_t patience;                          /* how often to ask */
    /* Set by modmul_open. */
    uint32_t slices; /* 32-bit words in a word of the bus */
    uint32_t bits;   /* of the longest operand */
    uint32_t tag;
} modmul_device;

/* Registers in memory, for a processor's bus or a mapping of /dev/uioN or /dev/mem: handle is their address. */
int modmul_memory_read(void *handle, uint32_t address, uint32_t *value);
int modmul_memory_write(void *handle, uint32_t address, uint32_t value);

/* Find the device, make sure of the build (0: any), and reset it. */
int modmul_open(modmul_device *device, uint32_t build);

/* Forget everything, the context too. */
int modmul_reset(modmul_device *device);

/* Load a context: what `modmul export --bus axi` writes into the header of the context. */
int modmul_load(modmul_device *device, const uint32_t *context, size_t words);

/* One operation on numbers of so many 32-bit words; bit i of controls is the core's control i. */
int modmul_run(modmul_device *device, uint32_t *z, const uint32_t *x, const uint32_t *y, size_t words,
               uint32_t controls);

#ifdef __cplusplus
}
#endif

#endif
