; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 + b of odd order: as weierstrass, in two products and three sums less a round.
;     modmul run weierstrass_zero --core rrm -m 31 p=4+6*2^16 k=5 a=0 b=3 b4=12 inverse=29 blind=5
; modmul.use.ecc and modmul ecc run it with curves by name.
.like weierstrass
;; a doubling and a sum
    mul   u, sx, dz
    mul   v, dx, sz
    add   w, dx, dz
    mul   e, dz, sz
    add   g, sx, sz
    mul   h, dz?sz, dz?sz    ; of the point that is doubled
    mul   i, w?g, w?g
    sub   j, v, u
    mul   q, dx?sx, dx?sx
    add   c, v, u
    add   zz, c, c           ; 2 (X1 Z2 + X2 Z1)
    sub   o, i, q
    mul   sz, j, j           ; (X1 Z2 - X2 Z1)^2
    sub   w, o, h            ; 2 X Z
    mul   g, dx, sx
    mul   c, b4, h           ; 4 b Z^2
    mul   j, b4, e
    mul   o, zz, g
    mul   n, w, q
    mul   i, w, c
    mul   xx, c, h
    mul   g, x, sz
    mul   zz, j, e
    add   n, n, n
    mul   v, q, q
    sub   w, o, g
    add   dz, n, xx
    add   sx, w, zz
    sub   dx, v, i
