; SPDX-License-Identifier: Apache-2.0
; X448 (RFC 7748): the x of k P on Curve448 from the x of P; k is e as decodeScalar448 gives it. As x25519 otherwise.
;     modmul run x448 --core rrm -m curve448 x=5 e=2^447+4 blind=2
.like x25519
;; the curve
.number  a24=~39081
;; the inverse
; Z^(M - 2) = Z^(2^448 - 2^224 - 3); zN is Z^(2^N - 1) from here on
    mul   -, z1, z1
    mul   z2, f, z1
    mul   -, z2, z2
    mul   z3, f, z1
    mul   -, z3, z3
s3:   mul  -, f, f
    repeat 2, s3
    mul   z6, f, z3
    mul   -, z6, z6
s6:   mul  -, f, f
    repeat 2, s6
    mul   z9, f, z3
    mul   -, z9, z9
s9:   mul  -, f, f
    repeat 8, s9
    mul   z18, f, z9
    mul   -, z18, z18
s18:  mul  -, f, f
    repeat 17, s18
    mul   z36, f, z18
    mul   -, z36, z36
    mul   z37, f, z1
    mul   -, z37, z37
s37:  mul  -, f, f
    repeat 36, s37
    mul   z74, f, z37
    mul   -, z74, z74
s74:  mul  -, f, f
    repeat 36, s74
    mul   z111, f, z37
    mul   -, z111, z111
s111: mul  -, f, f
    repeat 110, s111
    mul   z222, f, z111
    mul   -, z222, z222
    mul   -, f, z1          ; N = 223
s223: mul -, f, f
    repeat 223, s223
    mul   -, f, z222         ; 2^446 - 2^222 - 1
    mul   -, f, f
    mul   -, f, f
    mul   -, f, z1
