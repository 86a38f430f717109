; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 - 3 x + b: as weierstrass.s, in fewer products (algorithms 4 and 6), for every k and P of a curve whose order is odd. p is the point, x + 2^N y with N the bits of a number in the engine.
;     modmul.use.curves and modmul ecc run it
; Digits of three bits, tables of 0 P ... 7 P as X : Y : Z with x = X / Z. blind randomises these, and is another
; number in every operation. Nothing leaves but a point of the curve that has been made of a point of the curve.
.table   tx ty tz 8
.number  one r2 m zero=0 nothing=0
.number  b=~b three=~3
.number  l=~blind            ; not 0
.number  inverse             ; p - 2
.operand p k
.long    p nothing
.modulus m
.count   half=bits/2

; Is P on the curve? y^2 = x^3 - 3 x + b
    mul   x1, p.0, r2
    mul   y1, p.1, r2
    mul   w, x1, x1
    mul   v, y1, y1
    sub   w, w, three
    mul   w, w, x1
    add   w, w, b
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
    mul   zz, tz7, pz
    add   w, tx7, tz7
    add   t, px, pz
    mul   xx, tx7, px
    mul   xz, w, t
    mul   bz, b, zz
    add   u, tx7, ty7
    add   v, px, py
    mul   yy, ty7, py
    add   w, xx, zz
    sub   xz, xz, w          ; X1 Z2 + X2 Z1
    mul   bx, b, xz
    mul   xy, u, v
    add   u, ty7, tz7
    add   v, py, pz
    mul   yz, u, v
    sub   t, xz, bz
    add   w, t, t
    add   t, w, t
    sub   u, yy, t
    add   v, yy, t
    add   w, zz, zz
    add   w, w, zz           ; 3 Z1 Z2
    add   t, xx, yy
    sub   xy, xy, t          ; X1 Y2 + X2 Y1
    mul   t, u, v
    add   zz, yy, zz
    sub   bx, bx, w
    mul   v, xy, v
    sub   bx, bx, xx
    sub   yz, yz, zz         ; Y1 Z2 + Y2 Z1
    add   yy, bx, bx
    add   bx, yy, bx
    add   yy, xx, xx
    add   xx, yy, xx
    sub   xx, xx, w          ; 3 X1 X2 - 3 Z1 Z2
    mul   bz, yz, u
    mul   u, yz, bx
    mul   bx, xx, bx
    mul   xy, xy, xx
    add   ty7, t, bx
    sub   tx7, v, u
    add   tz7, bz, xy
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
    mul   zz, qz, qz
    mul   xz, qx, qz
    mul   bz, b, zz
    mul   yy, qy, qy
    add   xz, xz, xz
    mul   bx, b, xz
    mul   xy, qx, qy
    mul   xx, qx, qx
    add   w, zz, zz
    add   w, w, zz           ; 3 Z^2
    sub   t, bz, xz
    mul   yz, qy, qz
    add   u, t, t
    add   t, t, u
    sub   u, yy, t
    add   v, yy, t
    add   xy, xy, xy
    mul   t, u, v
    sub   bx, bx, w
    sub   bx, bx, xx
    mul   u, xy, u
    add   v, bx, bx
    add   bx, bx, v
    add   v, xx, xx
    add   xx, v, xx
    sub   xx, xx, w          ; 3 X^2 - 3 Z^2
    add   yz, yz, yz
    mul   w, xx, bx
    mul   yy, yz, yy
    mul   bx, yz, bx
    add   qy, t, w
    add   yy, yy, yy
    add   qz, yy, yy
    sub   qx, u, bx
    repeat 3, double
    scan  sx, tx
    scan  sy, ty
    scan  sz, tz
    mul   zz, qz, sz
    add   w, qx, qz
    add   t, sx, sz
    mul   xx, qx, sx
    mul   xz, w, t
    mul   bz, b, zz
    add   u, qx, qy
    add   v, sx, sy
    mul   yy, qy, sy
    add   w, xx, zz
    sub   xz, xz, w          ; X1 Z2 + X2 Z1
    mul   bx, b, xz
    mul   xy, u, v
    add   u, qy, qz
    add   v, sy, sz
    mul   yz, u, v
    sub   t, xz, bz
    add   w, t, t
    add   t, w, t
    sub   u, yy, t
    add   v, yy, t
    add   w, zz, zz
    add   w, w, zz           ; 3 Z1 Z2
    add   t, xx, yy
    sub   xy, xy, t          ; X1 Y2 + X2 Y1
    mul   t, u, v
    add   zz, yy, zz
    sub   bx, bx, w
    mul   v, xy, v
    sub   bx, bx, xx
    sub   yz, yz, zz         ; Y1 Z2 + Y2 Z1
    add   yy, bx, bx
    add   bx, yy, bx
    add   yy, xx, xx
    add   xx, yy, xx
    sub   xx, xx, w          ; 3 X1 X2 - 3 Z1 Z2
    mul   bz, yz, u
    mul   u, yz, bx
    mul   bx, xx, bx
    mul   xy, xy, xx
    add   qy, t, bx
    sub   qx, v, u
    add   qz, bz, xy
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
    sub   w, w, three
    mul   w, w, x1
    add   w, w, b
    add   u, w, one
    equal right, one
    move  v, u^v
    equal v, w
    release p, nothing
