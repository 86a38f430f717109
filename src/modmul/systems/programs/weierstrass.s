; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 + a x + b: with complete formulas (Renes, Costello, Batina 2016, algorithms 1 and 3), so for every
; k and P of a curve whose order is odd. p is the point, x + 2^N y with N the bits of a number in the engine.
;     modmul.use.curves and modmul ecc run it
; Digits of three bits, tables of 0 P ... 7 P as X : Y : Z with x = X / Z. blind randomises these, and is another
; number in every operation. Nothing leaves but a point of the curve that has been made of a point of the curve.
.table   tx ty tz 8
.number  one r2 m zero=0 nothing=0
.number  a=~a b3=~b3         ; b3 = 3 b
.number  l=~blind            ; not 0
.number  inverse             ; p - 2
.operand p k
.long    p nothing
.modulus m
.count   half=bits/2

; Is P on the curve? 3 y^2 = 3 x^3 + 3 a x + b3
    mul   x1, p.0, r2
    mul   y1, p.1, r2
    mul   w, x1, x1
    mul   v, y1, y1
    add   w, w, a
    mul   w, w, x1
    add   u, v, v
    add   v, u, v
    add   u, w, w
    add   w, u, w
    add   w, w, b3
    equal v, w
    move  right, zero^one

; the tables
    mul   px, x1, l
    mul   py, y1, l
    move  pz, l
    mul   l, l, l
    move  tx0, zero
    move  ty0, pz
    move  tz0, zero
    move  tx2, px
    move  tx3, px
    move  tx4, px
    move  tx5, px
    move  tx6, px
    move  tx7, px
    move  ty2, py
    move  ty3, py
    move  ty4, py
    move  ty5, py
    move  ty6, py
    move  ty7, py
    move  tz2, pz
    move  tz3, pz
    move  tz4, pz
    move  tz5, pz
    move  tz6, pz
    move  tz7, pz
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
    mul   xx, tx7, px
    mul   yy, ty7, py
    mul   zz, tz7, pz
    add   u, tx7, ty7
    add   v, px, py
    add   w, tx7, tz7
    add   t, px, pz
    mul   xy, u, v
    mul   xz, w, t
    add   u, ty7, tz7
    add   v, py, pz
    mul   yz, u, v
    mul   bz, b3, zz
    mul   az, a, zz
    add   w, xx, zz
    sub   xz, xz, w          ; X1 Z2 + X2 Z1
    mul   t, a, xz
    mul   bx, b3, xz
    add   u, xx, yy
    sub   xy, xy, u          ; X1 Y2 + X2 Y1
    add   v, yy, zz
    sub   yz, yz, v          ; Y1 Z2 + Y2 Z1
    sub   w, xx, az
    mul   aw, a, w
    add   bz, bz, t
    sub   u, yy, bz
    add   v, yy, bz
    mul   yy, u, v
    mul   u, xy, u
    mul   v, yz, v
    add   t, xx, xx
    add   t, t, xx
    add   t, t, az           ; 3 X1 X2 + a Z1 Z2
    add   bx, bx, aw
    mul   w, t, bx
    mul   bx, yz, bx
    mul   t, xy, t
    add   ty7, yy, w
    sub   tx7, u, bx
    add   tz7, v, t
    repeat 6, build

; the digits
    bits  first
    scan  qx, tx
    scan  qy, ty
    scan  qz, tz
    jump  test
round:
    bits  3
double:
    mul   xx, qx, qx
    mul   zz, qz, qz
    mul   xz, qx, qz
    mul   yy, qy, qy
    mul   xy, qx, qy
    mul   bz, b3, zz
    mul   az, a, zz
    add   xz, xz, xz
    mul   t, a, xz
    mul   bx, b3, xz
    mul   yz, qy, qz
    sub   w, xx, az
    mul   aw, a, w
    add   xy, xy, xy
    add   bz, bz, t
    sub   u, yy, bz
    add   v, yy, bz
    mul   w, u, v
    mul   u, xy, u
    add   yz, yz, yz
    mul   v, yz, yy
    add   t, xx, xx
    add   t, t, xx
    add   t, t, az           ; 3 X^2 + a Z^2
    add   bx, bx, aw
    mul   t, t, bx
    mul   bx, yz, bx
    add   v, v, v
    add   qz, v, v
    add   qy, w, t
    sub   qx, u, bx
    repeat 3, double
    scan  sx, tx
    scan  sy, ty
    scan  sz, tz
    mul   xx, qx, sx
    mul   yy, qy, sy
    mul   zz, qz, sz
    add   u, qx, qy
    add   v, sx, sy
    add   w, qx, qz
    add   t, sx, sz
    mul   xy, u, v
    mul   xz, w, t
    add   u, qy, qz
    add   v, sy, sz
    mul   yz, u, v
    mul   bz, b3, zz
    mul   az, a, zz
    add   w, xx, zz
    sub   xz, xz, w          ; X1 Z2 + X2 Z1
    mul   t, a, xz
    mul   bx, b3, xz
    add   u, xx, yy
    sub   xy, xy, u          ; X1 Y2 + X2 Y1
    add   v, yy, zz
    sub   yz, yz, v          ; Y1 Z2 + Y2 Z1
    sub   w, xx, az
    mul   aw, a, w
    add   bz, bz, t
    sub   u, yy, bz
    add   v, yy, bz
    mul   yy, u, v
    mul   u, xy, u
    mul   v, yz, v
    add   t, xx, xx
    add   t, t, xx
    add   t, t, az           ; 3 X1 X2 + a Z1 Z2
    add   bx, bx, aw
    mul   w, t, bx
    mul   bx, yz, bx
    mul   t, xy, t
    add   qy, yy, w
    sub   qx, u, bx
    add   qz, v, t
test:
    loop  round

; 1 / Z = Z^(p - 2): digits of two bits; a scan sees a third one, so the table of powers is there twice
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
    mul   x1, f, qx          ; x R
    mul   y1, v, qy
    mul   p.0, x1, 1
    mul   p.1, y1, 1

; is it on the curve, as P was?
    mul   w, x1, x1
    mul   v, y1, y1
    add   w, w, a
    mul   w, w, x1
    add   u, v, v
    add   v, u, v
    add   u, w, w
    add   w, u, w
    add   w, w, b3
    add   u, w, one
    equal right, one
    move  v, u^v
    equal v, w
    release p, nothing
