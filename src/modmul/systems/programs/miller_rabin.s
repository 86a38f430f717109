; SPDX-License-Identifier: Apache-2.0
; Whether M is a strong probable prime to the base x, by Miller and Rabin, for any odd M above 3.
; With M - 1 = 2^s d, d odd, it gives 1 if x^d is 1 or -1 mod M, or one of x^(2 d) ... x^(2^(s-1) d) is -1; otherwise 0.
; A composite M passes for a quarter of all bases at most, so 20 random bases let one through at most once in 2^40.
; (M - 1) / 2 is taken bit by bit from the top. The power of the bits so far stays in seen if the last of them is 1, or
; if it is -1: so at the end seen is 1 or -1 if M passes. A power is looked at beside the square behind it. No bit of M
; decides when anything happens: M may be secret, s too.
;     modmul run miller_rabin --core rrm -m 2^127-1 x=3
.number  one r2 m zero=0 o=1
.operand x -
.modulus m
.count   digits=bits

    mul   base, x, r2        ; x R
    half  h, m               ; (M - 1) / 2
    sub   minus1, zero, one  ; -R
    move  seen, zero
    mul   power, one, one    ; R
    rewind h
digit:
    mul   -, f, f
    move  c, minus1!power
    minus -, power, c, =     ; whether the last bit is 1, or the power is -1
    move  seen, seen^power
    bits  1
    mul   power, f, one!base
    repeat digits, digit
    move  c, minus1!power
    minus -, power, c, =
    move  seen, seen^power
    minus -, seen, one, =
    move  good, zero^o
    minus -, seen, minus1, =
    move  good, good^o
    out   good
