; SPDX-License-Identifier: Apache-2.0
; u B + v P on x^2 + y^2 = 1 + d x^2 y^2, d no square: as two_edwards, with the formulas of edwards_plus.
;     modmul run two_edwards_plus --core rrm -m 29 p=4+14*2^16 k=0x6a a=1 d=2 inverse=27 blind=10 b1x=4 b1y=14 b1t=25 \
;         b2x=6 b2y=24 b2t=27 b3x=7 b3y=12 b3t=23 b4x=9 b4y=11 b4t=24 b5x=26 b5y=3 b5t=11 b6x=18 b6y=20 b6t=24 \
;         b7x=17 b7y=22 b7t=23
; modmul.use.ecc and modmul ecc run it with curves by name.
.like edwards_plus
;; tables
.table   tx ty tz tt bx by bt 8
.number  bx0=0 by0=one bt0=0
.number  bx1=~b1x by1=~b1y bt1=~b1t
.number  bx2=~b2x by2=~b2y bt2=~b2t
.number  bx3=~b3x by3=~b3y bt3=~b3t
.number  bx4=~b4x by4=~b4y bt4=~b4t
.number  bx5=~b5x by5=~b5y bt5=~b5t
.number  bx6=~b6x by6=~b6y bt6=~b6t
.number  bx7=~b7x by7=~b7y bt7=~b7t
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
    mul   xx, qx, sx
    add   u, qx, qy
    add   v, sx, sy
    mul   zz, qz, sz
    mul   t, qt, st          ; d T1 T2
    mul   yy, qy, sy
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   qz, v, w
    sub   h, yy, xx
    add   u, xx, yy
    mul   qy, w, h
    sub   e, e, u
    mul   qx, e, v
    mul   qt, e, h
    mul   xx, qx, rx
    add   u, qx, qy
    add   v, rx, ry
    mul   t, qt, rt          ; d T1 T2
    mul   yy, qy, ry
    mul   e, u, v
    sub   v, qz, t
    add   w, qz, t
    sub   h, yy, xx
    add   u, xx, yy
    mul   qz, v, w
    mul   qy, w, h
    sub   e, e, u
    mul   qx, e, v
