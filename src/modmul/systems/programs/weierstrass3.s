; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 - 3 x + b, any b, of odd order: as weierstrass, in two products less a round, for more sums.
;     modmul run weierstrass3 --core rrm -m 31 p=2+28*2^16 k=5 a=28 b=7 b4=28 inverse=29 blind=3
; modmul.use.ecc and modmul ecc run it with curves by name.
.like weierstrass
;; a doubling and a sum
    mul   g, dx, sz
    mul   h, sx, dz
    mul   j, dz, sz
    mul   zz, dz?sz, dz?sz   ; of the point that is doubled
    add   e, dx, dz
    add   q, sx, sz
    mul   w, dx, sx
    mul   xx, dx?sx, dx?sx
    mul   e, e?q, e?q
    sub   v, g, h
    add   u, g, h
    add   u, u, u            ; 2 (X1 Z2 + X2 Z1)
    add   c, j, j
    add   c, c, j
    add   g, zz, zz
    add   g, g, zz           ; 3 Z^2
    mul   sz, v, v           ; (X1 Z2 - X2 Z1)^2
    mul   q, b4, j
    sub   w, w, c            ; X1 X2 - 3 Z1 Z2
    mul   c, b4, zz          ; 4 b Z^2
    mul   u, u, w
    add   h, xx, g
    sub   e, e, xx
    sub   e, e, zz           ; 2 X Z
    sub   g, xx, g
    mul   v, x, sz
    mul   j, q, j
    mul   h, h, h
    mul   g, e, g
    mul   e, e, c
    mul   c, c, zz
    sub   u, u, v
    add   sx, u, j
    add   g, g, g
    sub   dx, h, e
    add   dz, g, c
