; SPDX-License-Identifier: Apache-2.0
; u B + v P on a x^2 + y^2 = 1 + d x^2 y^2, a a square and d none, in the doublings of one product (Straus; "Shamir's
; trick"). The check of a signature takes it. p is P, x + 2^N y with N the bits of a number in the engine. The multiples
; B ... 7 B come with the context, as x, y and d x y. k is a 1 and then, from the top, three bits of v and three of u.
;     modmul run two_edwards --core rrm -m 29 p=7+20*2^16 k=0x6a a=28 d=14 inverse=27 b1x=7 b1y=20 b1t=17 \
;         b2x=16 b2y=15 b2t=25 b3x=23 b3y=18 b3t=25 b4x=21 b4y=26 b4t=17 b5x=17 b5y=0 b5t=0 b6x=21 b6y=3 b6t=12 \
;         b7x=23 b7y=11 b7t=4
; modmul.use.ecc and modmul ecc run it with curves by name.
; Sums are complete (Hisil, Wong, Carter, Dawson 2008), and the time follows from the length of k alone. Nothing is
; blinded. Tables of 0 P ... 7 P as X : Y : Z and d T, with x = X / Z, y = Y / Z, T = X Y / Z, and of 0 B ... 7 B with
; Z = 1. Nothing leaves but a point of the curve that has been made of a point of the curve.
.table   tx ty tz tt bx by bt 8
.number  one r2 m zero=0 nothing=0
.number  a=~a d=~d
.number  bx0=0 by0=one bt0=0
.number  bx1=~b1x by1=~b1y bt1=~b1t
.number  bx2=~b2x by2=~b2y bt2=~b2t
.number  bx3=~b3x by3=~b3y bt3=~b3t
.number  bx4=~b4x by4=~b4y bt4=~b4t
.number  bx5=~b5x by5=~b5y bt5=~b5t
.number  bx6=~b6x by6=~b6y bt6=~b6t
.number  bx7=~b7x by7=~b7y bt7=~b7t
.operand p k
.long    p nothing
.modulus m

; Is P on the curve?
    mul   x1, p.0, r2
    mul   y1, p.1, r2
    mul   xx, x1, x1
    mul   yy, y1, y1
    mul   ax, a, xx
    mul   w, xx, yy
    mul   w, w, d
    add   v, ax, yy
    add   w, w, one
    equal v, w
    move  right, zero^one

; the tables
    mul   pt, x1, y1
    mul   u, d, pt
    move  tx0, zero
    move  ty0, one
    move  tz0, one
    move  tt0, zero
    move  tx2, x1
    move  tx3, x1
    move  tx4, x1
    move  tx5, x1
    move  tx6, x1
    move  tx7, x1
    move  ty2, y1
    move  ty3, y1
    move  ty4, y1
    move  ty5, y1
    move  ty6, y1
    move  ty7, y1
    move  tz2, one
    move  tz3, one
    move  tz4, one
    move  tz5, one
    move  tz6, one
    move  tz7, one
    move  tt2, u
    move  tt3, u
    move  tt4, u
    move  tt5, u
    move  tt6, u
    move  tt7, u
build:
    move  tx1, tx2
    move  tx2, tx3
    move  tx3, tx4
    move  tx4, tx5
    move  tx5, tx6
    move  tx6, tx7
    move  ty1, ty2
    move  ty2, ty3
    move  ty3, ty4
    move  ty4, ty5
    move  ty5, ty6
    move  ty6, ty7
    move  tz1, tz2
    move  tz2, tz3
    move  tz3, tz4
    move  tz4, tz5
    move  tz5, tz6
    move  tz6, tz7
    move  tt1, tt2
    move  tt2, tt3
    move  tt3, tt4
    move  tt4, tt5
    move  tt5, tt6
    move  tt6, tt7
    mul   xx, tx7, x1
    add   u, tx7, ty7
    add   v, x1, y1
    mul   t, tt7, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty7, y1
    mul   e, u, v
    sub   v, tz7, t
    add   w, tz7, t
    mul   tz7, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   ty7, w, h
    sub   e, e, u
    mul   tx7, e, v
    mul   tt7, e, h
    mul   tt7, d, tt7
    repeat 6, build

; the digits
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
double:
    mul   xx, qx, qx
    mul   yy, qy, qy
    add   u, qx, qy
    mul   ax, a, xx
    mul   zz, qz, qz
    mul   e, u, u
    add   u, xx, yy
    add   w, ax, yy
    sub   h, ax, yy
    add   zz, zz, zz
    mul   qy, w, h
    sub   v, w, zz
    mul   qz, v, w
    sub   e, e, u
    mul   qx, e, v
    repeat 3, double
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
test:
    loop  round

; 1 / Z = Z^(p - 2)
;; the inverse
; digits of two bits; a scan sees a third one, so the table of powers is there twice
.number  inverse             ; p - 2
.count   half=bits/2
    mul   -, one, one        ; R
    move  tx0, one
    mul   tx2, qz, qz
    mul   tx3, f, qz
    move  tx1, qz
    move  tx4, one
    move  tx5, tx1
    move  tx6, tx2
    move  tx7, tx3
    rewind inverse
    mul   -, one, one
power:
    bits  2
    scan  v, tx
    mul   -, f, f
    mul   -, f, f
    mul   -, f, v
    repeat half, power
    mul   v, f, one
;;
    mul   x1, v, qx          ; x R
    mul   y1, v, qy
    mul   p.0, x1, 1
    mul   p.1, y1, 1

; is it on the curve, as P was?
    mul   xx, x1, x1
    mul   yy, y1, y1
    mul   ax, a, xx
    mul   w, xx, yy
    mul   w, w, d
    add   v, ax, yy
    add   w, w, one
    add   u, w, one
    equal right, one
    move  v, u^v
    equal v, w
    release p, nothing
