; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 + a x + b, -a a square, of odd order: as weierstrass_plus, with the root of -a, and
; x^3 - x + b / up^3.
;     modmul run weierstrass_minus --core rrm -m 31 p=2+1*2^16 k=5 a=3 b=18 up=11 down=17 c4=26 inverse=29 blind=5
; modmul.use.ecc and modmul ecc run it with curves by name.
.like weierstrass_plus
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
    mul   sz, j, j           ; (X1 Z2 - X2 Z1)^2
    mul   g, dx, sx
    add   u, q, h
    sub   v, q, h            ; X^2 - Z^2
    sub   w, i, u            ; 2 X Z
    mul   c, c4, h           ; 4 b Z^2
    sub   i, g, e            ; X1 X2 - Z1 Z2
    mul   j, c4, e
    mul   o, zz, i
    mul   n, w, v
    mul   q, w, c
    mul   xx, c, h
    mul   g, xs, sz
    mul   zz, j, e
    add   i, n, n
    mul   v, u, u
    sub   w, o, g
    add   dz, i, xx
    add   sx, w, zz
    sub   dx, v, q
