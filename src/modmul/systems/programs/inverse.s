; SPDX-License-Identifier: Apache-2.0
; 1 / x mod M for a prime M, by Fermat: x^(M-2), with windows of 4 bits.
;     modmul run inverse --core rrm -m p256 x=5 e=M-2
; The time depends on the length of e alone. With other exponents the same rows give other things: (M-1)/2 tells
; whether x is a square, (M+1)/4 gives its root where M mod 4 = 3, and 2^m-2 the inverse in GF(2^m).
.table   t 16
.number  t0=one r2           ; R mod M, R^2 mod M
.operand x e

    mul   t1, x, r2          ; x R: enter the domain
    mul   t2, f, f           ; t[k] = x^k R
    mul   t3, f, t1
    mul   t4, f, t1
    mul   t5, f, t1
    mul   t6, f, t1
    mul   t7, f, t1
    mul   t8, f, t1
    mul   t9, f, t1
    mul   t10, f, t1
    mul   t11, f, t1
    mul   t12, f, t1
    mul   t13, f, t1
    mul   t14, f, t1
    mul   t15, f, t1
    bits  first              ; the first digit, which may be a short one
    scan  s
    mul   -, s, t0           ; s itself, into f
    jump  test

round:                       ; the next digit: four squares while the table is read
    bits  4
    scan  s
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, s
test:
    loop  round
    mul   -, f, 1            ; leave the domain
    out   f
