/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main, and from interrupts to their handler. */
    .section .start, "ax"
    .globl _start
_start:
    la   sp, stack_top
    la   t0, trap
    csrw mtvec, t0
    la   t0, bss_begin
    la   t1, bss_end
clear:
    bgeu t0, t1, cleared
    sw   zero, 0(t0)
    addi t0, t0, 4
    j    clear
cleared:
    call main
stop:
    j    stop
