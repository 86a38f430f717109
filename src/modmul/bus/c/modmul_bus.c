/* SPDX-License-Identifier: Apache-2.0 */
#include "modmul_bus.h"

int modmul_memory_read(void *handle, uint32_t address, uint32_t *value) {
    *value = ((const volatile uint32_t *)handle)[address / 4u];
    return 0;
}

int modmul_memory_write(void *handle, uint32_t address, uint32_t value) {
    ((volatile uint32_t *)handle)[address / 4u] = value;
    return 0;
}

static int get(modmul_device *device, uint32_t address, uint32_t *value) {
    return device->read(device->handle, address, value) ? MODMUL_FAILED_BUS : 0;
}

static int set(modmul_device *device, uint32_t address, uint32_t value) {
    return device->write(device->handle, address, value) ? MODMUL_FAILED_BUS : 0;
}

/* Ask until the bits of a register under a mask are as wanted. */
static int wait_for(modmul_device *device, uint32_t address, uint32_t mask, uint32_t wanted) {
    uint32_t turn;
    for (turn = 0; turn < device->patience; ++turn) {
        uint32_t value;
        if (get(device, address, &value)) return MODMUL_FAILED_BUS;
        if ((value & mask) == wanted) return 0;
        if (device->pause) device->pause(device->handle, turn);
    }
    return MODMUL_FAILED_STUCK;
}

static int put(modmul_device *device, uint32_t word, int last) {
    const int failed = wait_for(device, MODMUL_STATUS, MODMUL_STATUS_READY, MODMUL_STATUS_READY);
    return failed ? failed : set(device, last ? MODMUL_IN_LAST : MODMUL_IN_DATA, word);
}

/* The header of a frame, in a whole word of the bus. */
static int begin(modmul_device *device, uint32_t kind, uint32_t controls) {
    uint32_t slice;
    int failed;
    device->tag = (device->tag + 1u) & 0xffffu;
    failed = put(device, device->tag << 16 | (controls & 0xffu) << 8 | kind, 0);
    for (slice = 1; slice < device->slices && !failed; ++slice) failed = put(device, 0, 0);
    return failed;
}

/* A number, and zeros up to a whole word of the bus. */
static int put_number(modmul_device *device, const uint32_t *number, size_t words, int last) {
    const size_t padded = (words + device->slices - 1u) / device->slices * device->slices;
    size_t index;
    int failed = 0;
    for (index = 0; index < padded && !failed; ++index)
        failed = put(device, index < words ? number[index] : 0u, last && index + 1u == padded);
    return failed;
}

/* The answer; z may be NULL. */
static int take(modmul_device *device, uint32_t *z, size_t words) {
    uint32_t header, length, word;
    size_t index;
    int failed = wait_for(device, MODMUL_STATUS, MODMUL_STATUS_DONE, MODMUL_STATUS_DONE);
    if (failed) return failed;
    if (get(device, MODMUL_ANSWER, &header) || get(device, MODMUL_LENGTH, &length)) return MODMUL_FAILED_BUS;
    failed = (int)(header & MODMUL_ANSWER_CODE);
    if (header >> MODMUL_ANSWER_TAG_SHIFT != device->tag) failed = MODMUL_FAILED_ANSWER;
    if (!failed && z && length < words) failed = MODMUL_FAILED_ANSWER;
    for (index = 0; z && index < words; ++index) {
        word = 0;
        if (!failed && get(device, MODMUL_RESULT + 4u * (uint32_t)index, &word)) failed = MODMUL_FAILED_BUS;
        z[index] = word;
    }
    if (set(device, MODMUL_RELEASE, MODMUL_RELEASE_DONE)) return MODMUL_FAILED_BUS;
    return failed;
}

int modmul_reset(modmul_device *device) {
    if (set(device, MODMUL_CONTROL, MODMUL_CONTROL_RESET)) return MODMUL_FAILED_BUS;
    return wait_for(device, MODMUL_CONTROL, MODMUL_CONTROL_RESET, 0);
}

int modmul_open(modmul_device *device, uint32_t build) {
    uint32_t value;
    if (get(device, MODMUL_ID, &value)) return MODMUL_FAILED_BUS;
    if (value != MODMUL_ID_IS) return MODMUL_FAILED_ID;
    if (get(device, MODMUL_VERSION, &value)) return MODMUL_FAILED_BUS;
    if ((value ^ MODMUL_VERSION_IS) & MODMUL_VERSION_MAJOR) return MODMUL_FAILED_ID;
    if (get(device, MODMUL_BUILD, &value)) return MODMUL_FAILED_BUS;
    if (build && value != build) return MODMUL_FAILED_BUILD;
    if (get(device, MODMUL_FEATURES, &value)) return MODMUL_FAILED_BUS;
    device->slices = value & MODMUL_FEATURES_SLICES;
    if (device->slices == 0u) return MODMUL_FAILED_ID;
    if (get(device, MODMUL_OPERAND, &device->bits)) return MODMUL_FAILED_BUS;
    device->tag = 0;
    return modmul_reset(device);
}

int modmul_load(modmul_device *device, const uint32_t *context, size_t words) {
    int failed = words ? begin(device, MODMUL_KIND_CONTEXT, 0) : (int)MODMUL_CODE_SHORT;
    if (!failed) failed = put_number(device, context, words, 1);
    return failed ? failed : take(device, NULL, 0);
}

int modmul_run(modmul_device *device, uint32_t *z, const uint32_t *x, const uint32_t *y, size_t words,
               uint32_t controls) {
    int failed = words ? begin(device, MODMUL_KIND_OPERATION, controls) : (int)MODMUL_CODE_SHORT;
    if (!failed) failed = put_number(device, x, words, 0);
    if (!failed) failed = put_number(device, y, words, 1);
    return failed ? failed : take(device, z, words);
}
