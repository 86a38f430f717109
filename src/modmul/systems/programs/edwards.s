; SPDX-License-Identifier: Apache-2.0
; k P on a x^2 + y^2 = 1 + d x^2 y^2, a a square and d none, so that sums are complete (Hisil, Wong, Carter, Dawson
; 2008). p is the point, x + 2^N y with N the bits of a number in the engine.
;     modmul run edwards --core rrm -m 29 p=7+20*2^16 k=5 a=28 d=14 inverse=27 blind=10
; modmul.use.ecc and modmul ecc run it with curves by name.
; Digits of three bits, tables of 0 P ... 7 P as X : Y : Z and d T, with x = X / Z, y = Y / Z, T = X Y / Z. blind
; randomises these, and is another number in every operation. Nothing leaves but a point of the curve that has been
; made of a point of the curve.
.table   tx ty tz tt 8
.number  one r2 m zero=0 nothing=0
.number  a=~a d=~d
.number  l=~blind            ; not 0
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
    mul   px, x1, l
    mul   py, y1, l
    mul   pt, x1, py
    move  pz, l
    mul   l, l, l
    mul   u, d, pt
    move  tx0, zero
    move  ty0, pz
    move  tz0, pz
    move  tt0, zero
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
    mul   xx, tx7, px
    add   u, tx7, ty7
    add   v, px, py
    mul   zz, tz7, pz
    mul   t, tt7, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty7, py
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
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
    bits  first
    scan  qx, tx
    scan  qy, ty
    scan  qz, tz
    jump  test
round:
    bits  3
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
