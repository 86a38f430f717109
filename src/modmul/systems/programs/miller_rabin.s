; SPDX-License-Identifier: Apache-2.0
; Whether M is a probable prime to the base x, by Miller and Rabin, for M = 3 mod 4.
; It gives 1 if x^((M-1)/2) is 1 or -1 mod M, otherwise 0.
; A composite M passes for a quarter of all bases at most, so 20 random bases fail one time in 2^40.
; The exponent is computed from M, and no digit of it decides when anything happens: M may be secret.
;     modmul run miller_rabin --core rrm -m 2^127-1 x=3
.table   t 4
.number  t0=one r2 m zero=0 o=1
.operand x -
.modulus m
.count   digits=bits/2

    mul   t1, x, r2          ; x R
    mul   t2, f, f
    mul   t3, f, t1
    half  h, m               ; (M - 1) / 2
    mul   -, t0, t0          ; R
    rewind h
digit:
    bits  2
    scan  s
    mul   -, f, f
    mul   -, f, f
    mul   a, f, s
    repeat digits, digit
    sub   b, zero, t0        ; -R
    equal a, t0
    move  good, zero^o
    equal a, b
    move  good, good^o
    out   good
