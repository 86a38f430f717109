/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a core on a bus: made by 'make registers' from registers.rdl. */
#ifndef MODMUL_REGISTERS_H
#define MODMUL_REGISTERS_H

/* Identification */
#define MODMUL_ID 0x000u

/* Version of these registers */
#define MODMUL_VERSION 0x004u
#define MODMUL_VERSION_MINOR 0x0000ffffu
#define MODMUL_VERSION_MINOR_SHIFT 0
#define MODMUL_VERSION_MAJOR 0xffff0000u
#define MODMUL_VERSION_MAJOR_SHIFT 16

/* Build */
#define MODMUL_BUILD 0x008u

/* What was built */
#define MODMUL_FEATURES 0x00cu
#define MODMUL_FEATURES_SLICES 0x000000ffu
#define MODMUL_FEATURES_SLICES_SHIFT 0
#define MODMUL_FEATURES_CONTROLS 0x00000f00u
#define MODMUL_FEATURES_CONTROLS_SHIFT 8
#define MODMUL_FEATURES_LENGTHS 0x00001000u
#define MODMUL_FEATURES_LENGTHS_SHIFT 12
#define MODMUL_FEATURES_CORE_CLOCK 0x00002000u
#define MODMUL_FEATURES_CORE_CLOCK_SHIFT 13
#define MODMUL_FEATURES_NUMBERS 0x00004000u
#define MODMUL_FEATURES_NUMBERS_SHIFT 14

/* Bits of the longest operand */
#define MODMUL_OPERAND 0x010u

/* Bits of the core's data ports */
#define MODMUL_WORD 0x014u

/* Clock cycles without progress that end an operation */
#define MODMUL_LIMIT 0x018u

/* Control */
#define MODMUL_CONTROL 0x020u
#define MODMUL_CONTROL_RESET 0x00000001u
#define MODMUL_CONTROL_RESET_SHIFT 0

/* Status */
#define MODMUL_STATUS 0x024u
#define MODMUL_STATUS_READY 0x00000001u
#define MODMUL_STATUS_READY_SHIFT 0
#define MODMUL_STATUS_DONE 0x00000002u
#define MODMUL_STATUS_DONE_SHIFT 1
#define MODMUL_STATUS_BUSY 0x00000004u
#define MODMUL_STATUS_BUSY_SHIFT 2
#define MODMUL_STATUS_LOADED 0x00000008u
#define MODMUL_STATUS_LOADED_SHIFT 3

/* Interrupts that are passed on */
#define MODMUL_IRQ_ENABLE 0x028u
#define MODMUL_IRQ_ENABLE_DONE 0x00000001u
#define MODMUL_IRQ_ENABLE_DONE_SHIFT 0
#define MODMUL_IRQ_ENABLE_ERROR 0x00000002u
#define MODMUL_IRQ_ENABLE_ERROR_SHIFT 1
#define MODMUL_IRQ_ENABLE_REFUSED 0x00000004u
#define MODMUL_IRQ_ENABLE_REFUSED_SHIFT 2

/* Interrupts that were raised */
#define MODMUL_IRQ_STATUS 0x02cu
#define MODMUL_IRQ_STATUS_DONE 0x00000001u
#define MODMUL_IRQ_STATUS_DONE_SHIFT 0
#define MODMUL_IRQ_STATUS_ERROR 0x00000002u
#define MODMUL_IRQ_STATUS_ERROR_SHIFT 1
#define MODMUL_IRQ_STATUS_REFUSED 0x00000004u
#define MODMUL_IRQ_STATUS_REFUSED_SHIFT 2

/* Header of the answer */
#define MODMUL_ANSWER 0x030u
#define MODMUL_ANSWER_CODE 0x000000ffu
#define MODMUL_ANSWER_CODE_SHIFT 0
#define MODMUL_ANSWER_KIND 0x0000ff00u
#define MODMUL_ANSWER_KIND_SHIFT 8
#define MODMUL_ANSWER_TAG 0xffff0000u
#define MODMUL_ANSWER_TAG_SHIFT 16

/* 32-bit words of the result */
#define MODMUL_LENGTH 0x034u

/* The next word of a frame */
#define MODMUL_IN_DATA 0x040u

/* The last word of a frame */
#define MODMUL_IN_LAST 0x044u

/* The answer is read */
#define MODMUL_RELEASE 0x048u
#define MODMUL_RELEASE_DONE 0x00000001u
#define MODMUL_RELEASE_DONE_SHIFT 0

/* The result */
#define MODMUL_RESULT 0x1000u
#define MODMUL_ID_IS 0x4d4d554cu
#define MODMUL_VERSION_IS 0x00010000u

#define MODMUL_CODE_OK 0u /* it went well */
#define MODMUL_CODE_KIND 1u /* the header names no kind of frame */
#define MODMUL_CODE_SHORT 2u /* the frame ended too early */
#define MODMUL_CODE_LONG 3u /* the frame went on too long */
#define MODMUL_CODE_RANGE 4u /* an operand is above the largest one */
#define MODMUL_CODE_NO_CONTEXT 5u /* no legal context was loaded */
#define MODMUL_CODE_REFUSED 6u /* the core cannot serve the context */
#define MODMUL_CODE_LENGTH 7u /* the build does not have operands of so many bits */
#define MODMUL_CODE_INCOMPLETE 8u /* the beats are not those of a whole context */
#define MODMUL_CODE_WITHHELD 9u /* the system found its own result wrong and holds it back */
#define MODMUL_CODE_TIMEOUT 10u /* the core made no progress; context and length did not agree */
#define MODMUL_CODE_CONTROL 11u /* the header sets a control that the core does not have */

#define MODMUL_KIND_OPERATION 1u /* two operands; the answer holds the result */
#define MODMUL_KIND_CONTEXT 2u /* what the core keeps per modulus; the answer holds nothing */

#endif
