; SPDX-License-Identifier: Apache-2.0
; X448 (RFC 7748): the x of k P on Curve448 from the x of P; k is e as decodeScalar448 gives it.
;     modmul run x448 --core rrm -m curve448 x=5 e=2^447+4
; D and S are points whose difference is P, as X : Z. A round doubles D if its bit of k is the one before it,
; otherwise S, and adds the two. Whatever k is, registers and time are the same.
.number  one r2 m            ; R mod M, R^2 mod M, M
.number  a24=~39081
.operand x e
.modulus m

    mul   x1, x, r2
    mul   sx, x, r2          ; S = P
    sub   dz, one, one       ; D is the neutral point, 1 : 0
    add   dx, one, dz
    add   sz, one, dz
    bits  first
    jump  body
round:
    bits  1
body:
    add   a, dx, dz
    sub   b, dx, dz
    add   c, sx, sz
    sub   d, sx, sz
    mul   da, d, a
    mul   cb, c, b
    mul   aa, a?c, a?c       ; of the point that is doubled
    mul   bb, b?d, b?d
    add   v, da, cb
    sub   w, da, cb
    mul   sx, v, v           ; (DA + CB)^2
    mul   w2, w, w
    sub   g, aa, bb          ; E = AA - BB
    mul   dx, aa, bb
    mul   t, a24, g
    mul   sz, x1, w2         ; x1 (DA - CB)^2
    add   u, aa, t
    mul   dz, g, u           ; E (AA + a24 E)
    loop  round

; X / Z of the point that k names: D, or S if the last bit is 1
    mul   -, one, one        ; R
    mul   z1, f, dz!sz
; Z^(M - 2) = Z^(2^448 - 2^224 - 3); zN is Z^(2^N - 1) from here on
    mul   -, z1, z1
    mul   z2, f, z1
    mul   -, z2, z2
    mul   z3, f, z1
    mul   -, z3, z3
s3: mul  -, f, f
    repeat 2, s3
    mul   z6, f, z3
    mul   -, z6, z6
s6: mul  -, f, f
    repeat 2, s6
    mul   z9, f, z3
    mul   -, z9, z9
s9: mul  -, f, f
    repeat 8, s9
    mul   z18, f, z9
    mul   -, z18, z18
s18: mul  -, f, f
    repeat 17, s18
    mul   z36, f, z18
    mul   -, z36, z36
    mul   z37, f, z1
    mul   -, z37, z37
s37: mul  -, f, f
    repeat 36, s37
    mul   z74, f, z37
    mul   -, z74, z74
s74: mul  -, f, f
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
    mul   -, f, dx!sx
    mul   z, f, 1            ; out of the domain
    out   z
