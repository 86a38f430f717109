; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 + a x + b, a a square, of odd order: as weierstrass, in two products less a round. In the ladder x
; is in units of the root of a, up, so that the curve is x^3 + x + b / up^3 there.
;     modmul run weierstrass_plus --core rrm -m 31 p=2+3*2^16 k=5 a=28 b=7 up=11 down=17 c4=17 inverse=29 blind=5
; modmul.use.ecc and modmul ecc run it with curves by name.
.like weierstrass
;; numbers of the ladder
.number  up=~up down=~down   ; down = 1 / up
.number  c4=~c4              ; 4 b / up^3
;; D and S
    mul   xs, x, down
    move  dx, l              ; D = 0 P
    move  dz, zero
    mul   sx, xs, l          ; S = P
    move  sz, l
    mul   l, l, l
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
    sub   u, q, h
    add   v, q, h            ; X^2 + Z^2
    sub   w, i, v            ; 2 X Z
    mul   c, c4, h           ; 4 b Z^2
    add   i, g, e            ; X1 X2 + Z1 Z2
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
;; k P and (k + 1) P
    move  x1, dx!sx
    move  z1, dz!sz
    move  x2, sx!dx
    move  z2, sz!dz
    mul   x1, x1, up
    mul   x2, x2, up
