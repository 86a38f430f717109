; SPDX-License-Identifier: Apache-2.0
; X25519 (RFC 7748): the x of k P on Curve25519 from the x of P; k is e as decodeScalar25519 gives it.
;     modmul run x25519 --core sparse_prime -m curve25519 x=9 e=2^254+8 blind=2
; D and S are points whose difference is P, as X : Z. A round doubles D if its bit of k is the one before it,
; otherwise S, and adds the two. Whatever k is, registers and time are the same. blind randomises both, and is another
; number in every operation.
.number  one r2 m            ; R mod M, R^2 mod M, M
.number  l=~blind            ; not 0
;; the curve
.number  a24=~121665
;;
.operand x e
.modulus m

    mul   x1, x, r2
    mul   sx, x1, l          ; S = P
    sub   dz, one, one       ; D is the neutral point, 1 : 0
    add   dx, l, dz
    add   sz, l, dz
    mul   l, l, l
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
;; the inverse
; Z^(M - 2) = Z^(2^255 - 21); zN is Z^(2^N - 1) from here on
    mul   z2, z1, z1         ; Z^2
    mul   -, z2, z2
    mul   -, f, f            ; Z^8
    mul   z9, f, z1
    mul   z11, z9, z2
    mul   -, z11, z11
    mul   z5, f, z9          ; Z^31
    mul   -, z5, z5
s5: mul   -, f, f
    repeat 4, s5
    mul   z10, f, z5
    mul   -, z10, z10
s10: mul  -, f, f
    repeat 9, s10
    mul   z20, f, z10
    mul   -, z20, z20
s20: mul  -, f, f
    repeat 19, s20
    mul   -, f, z20          ; N = 40
s40: mul  -, f, f
    repeat 10, s40
    mul   z50, f, z10
    mul   -, z50, z50
s50: mul  -, f, f
    repeat 49, s50
    mul   z100, f, z50
    mul   -, z100, z100
s100: mul -, f, f
    repeat 99, s100
    mul   -, f, z100         ; N = 200
s200: mul -, f, f
    repeat 50, s200
    mul   -, f, z50          ; N = 250
s250: mul -, f, f
    repeat 5, s250
    mul   -, f, z11
;;
    mul   -, f, dx!sx
    mul   z, f, 1            ; out of the domain
    out   z
