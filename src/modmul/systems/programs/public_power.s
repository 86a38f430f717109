; SPDX-License-Identifier: Apache-2.0
; x^65537 mod M: the public operation of RSA.
; The exponent is 2^16 + 1, so there are sixteen squares and a product, and the program has no loop.
;     modmul run public_power --core rrm -m key.pem x=0x1234
.number  r2                  ; R^2 mod M
.operand x -

    mul   -, x, r2           ; x R: enter the domain
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, x            ; x and not x R: the same product leaves the domain
    out   f
