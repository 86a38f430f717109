/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiplies, and signs with an RSA key, by the device on the bus. numbers.h, written by soc.py, has the operands; what
 * comes out is printed at the serial line, where soc.py holds it against Python and OpenSSL.
 */
#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>

#include "modmul_bus.h"
#include "modmul_context.h"
#include "numbers.h"

#define PRODUCT 1u /* the control of modexp that asks for a product in place of a power */

static volatile uint32_t interrupts;

static void print(const char *text) {
    for (; *text; ++text) {
        while (uart_txfull_read()) {
        }
        uart_rxtx_write((uint32_t)(unsigned char)*text);
    }
}

static void print_number(const char *name, const uint32_t *words, size_t count) {
    print(name);
    print(" ");
    while (count-- > 0) {
        int shift;
        for (shift = 28; shift >= 0; shift -= 4) {
            const char digit[2] = {"0123456789abcdef"[words[count] >> shift & 15u], '\0'};
            print(digit);
        }
    }
    print("\n");
}

/* An answer has come. What is asked for is acknowledged here; the driver finds the answer in STATUS. */
__attribute__((interrupt)) void trap(void) {
    volatile uint32_t *const registers = (volatile uint32_t *)MODMUL_BASE;
    registers[MODMUL_IRQ_STATUS / 4u] = registers[MODMUL_IRQ_STATUS / 4u];
    ++interrupts;
}

/* Interrupts of VexRiscv come by the mask in its register 0xbc0. */
static void let_interrupt(modmul_device *device) {
    device->write(device->handle, MODMUL_IRQ_ENABLE, MODMUL_IRQ_ENABLE_DONE);
    modmul_ev_enable_write(1);
    __asm__ volatile("csrw 0xbc0, %0" : : "r"(1u << MODMUL_INTERRUPT));
    __asm__ volatile("csrs mie, %0" : : "r"(1u << 11));
    __asm__ volatile("csrsi mstatus, 8");
}

int main(void) {
    static uint32_t z[MODMUL_OPERAND_WORDS];
    static modmul_device device;
    uint32_t failed;
    device.read = modmul_memory_read;
    device.write = modmul_memory_write;
    device.handle = (void *)MODMUL_BASE;
    device.patience = 100000000u;
    failed = (uint32_t)modmul_open(&device, MODMUL_CONTEXT_BUILD);
    if (!failed) {
        let_interrupt(&device);
        failed = (uint32_t)modmul_load(&device, modmul_context, MODMUL_CONTEXT_WORDS);
    }
    if (!failed) {
        failed = (uint32_t)modmul_run(&device, z, number_x, number_y, MODMUL_OPERAND_WORDS, PRODUCT);
        print_number("product", z, MODMUL_OPERAND_WORDS);
    }
    if (!failed) {
        failed = (uint32_t)modmul_run(&device, z, number_padded, number_d, MODMUL_OPERAND_WORDS, 0);
        print_number("signature", z, MODMUL_OPERAND_WORDS);
    }
    print_number("interrupts", (const uint32_t *)&interrupts, 1);
    print_number("failed", &failed, 1);
    print("end\n");
    return 0;
}
