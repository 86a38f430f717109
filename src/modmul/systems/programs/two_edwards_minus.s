; SPDX-License-Identifier: Apache-2.0
; u B + v P on -x^2 + y^2 = 1 + d x^2 y^2, -1 a square and d none: as two_edwards, with the formulas of edwards_minus.
; The multiples of B come with the context as y - x, y + x and 2 d x y.
;     modmul run two_edwards_minus --core rrm -m 29 p=7+20*2^16 k=0x6a a=28 d=14 inverse=27 blind=10 b1d=13 b1s=27 \
;         b1t2=5 b2d=28 b2s=2 b2t2=21 b3d=24 b3s=12 b3t2=21 b4d=5 b4s=18 b4t2=5 b5d=12 b5s=17 b5t2=0 b6d=11 b6s=24 \
;         b6t2=24 b7d=17 b7s=5 b7t2=8
; modmul.use.ecc and modmul ecc run it with curves by name.
.like edwards_minus
;; tables
.table   tx ty tz tt bx by bt 8
.number  bx0=one by0=one bt0=0
.number  bx1=~b1d by1=~b1s bt1=~b1t2
.number  bx2=~b2d by2=~b2s bt2=~b2t2
.number  bx3=~b3d by3=~b3s bt3=~b3t2
.number  bx4=~b4d by4=~b4s bt4=~b4t2
.number  bx5=~b5d by5=~b5s bt5=~b5t2
.number  bx6=~b6d by6=~b6s bt6=~b6t2
.number  bx7=~b7d by7=~b7s bt7=~b7t2
;; the digits
    move  qx, zero
    move  qy, one
    move  qz, one
    bits  first              ; the 1
    jump  test
round:
    bits  3                  ; of v
    scan  sx, tx
    scan  sy, ty
    scan  sz, tz
    scan  st, tt
;; a sum
    mul   qt, e, h
    bits  3                  ; of u
    scan  rx, bx
    scan  ry, by
    scan  rt, bt
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, sz
    mul   t, qt, st          ; 2 d T1 T2
    mul   u, u, sx
    mul   v, v, sy
    sub   f1, zz, t
    add   g, zz, t
    mul   qz, f1, g
    sub   e, v, u
    add   h, v, u
    mul   qx, e, f1
    mul   qy, g, h
    mul   qt, e, h
    sub   u, qy, qx
    add   v, qy, qx
    add   zz, qz, qz
    mul   t, qt, rt          ; 2 d T1 T2
    mul   u, u, rx
    mul   v, v, ry
    sub   f1, zz, t
    add   g, zz, t
    mul   qz, f1, g
    sub   e, v, u
    add   h, v, u
    mul   qx, e, f1
    mul   qy, g, h
