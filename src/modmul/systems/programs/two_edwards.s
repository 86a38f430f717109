; SPDX-License-Identifier: Apache-2.0
; u B + v P on a x^2 + y^2 = 1 + d x^2 y^2, a a square and d none, in the doublings of one product (Straus; "Shamir's
; trick"). The check of a signature takes it. p is P, as in edwards. The multiples B ... 7 B come with the context, as
; x, y and d x y. k is a 1 and then, from the top, three bits of v and three of u.
;     modmul run two_edwards --core rrm -m 29 p=7+11*2^16 k=0x6a a=4 d=2 inverse=27 blind=10 b1x=7 b1y=11 b1t=9 \
;         b2x=10 b2y=3 b2t=2 b3x=16 b3y=20 b3t=2 b4x=20 b4y=14 b4t=9 b5x=15 b5y=0 b5t=0 b6x=20 b6y=15 b6t=20 \
;         b7x=16 b7y=9 b7t=27
; modmul.use.ecc and modmul ecc run it with curves by name.
; The time follows from the length of k alone. Z is 1 in the table of 0 B ... 7 B.
.like edwards
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
    mul   ax, a, xx
    mul   yy, qy, sy
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   qz, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   qy, w, h
    sub   e, e, u
    mul   qx, e, v
    mul   qt, e, h
    mul   xx, qx, rx
    add   u, qx, qy
    add   v, rx, ry
    mul   t, qt, rt          ; d T1 T2
    mul   ax, a, xx
    mul   yy, qy, ry
    mul   e, u, v
    sub   v, qz, t
    add   w, qz, t
    sub   h, yy, ax
    add   u, xx, yy
    mul   qz, v, w
    mul   qy, w, h
    sub   e, e, u
    mul   qx, e, v
