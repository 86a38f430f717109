; SPDX-License-Identifier: Apache-2.0
; k P on a x^2 + y^2 = 1 + d x^2 y^2, a a square and d none, so that sums are complete (Hisil, Wong, Carter, Dawson
; 2008). p is the point, x + 2^N y with N the bits of a number in the engine.
;     modmul run edwards --core rrm -m 29 p=7+11*2^16 k=5 a=4 d=2 inverse=27 blind=10
; modmul.use.ecc and modmul ecc run it with curves by name.
; Digits of three bits, tables of 0 P ... 7 P as X : Y : Z and d T, with x = X / Z, y = Y / Z, T = X Y / Z. blind
; randomises these, and is another number in every operation. Nothing leaves but a point of the curve that has been
; made of a point of the curve.
.number  one r2 m zero=0 nothing=0
.number  a=~a d=~d
.number  l=~blind            ; not 0
.operand p k
.long    p nothing
.modulus m
;; tables
.table   tx ty tz tt 8
;; is P on the curve?
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
;; 0 P and P
    mul   tx1, x1, l
    mul   ty1, y1, l
    mul   pt, x1, ty1
    move  tz1, l
    mul   l, l, l
    mul   tt1, d, pt
    move  tx0, zero
    move  ty0, tz1
    move  tz0, tz1
    move  tt0, zero
;; 2 P to 7 P
; 2 P
    mul   xx, tx1, tx1
    add   u, tx1, ty1
    add   v, tx1, ty1
    mul   zz, tz1, tz1
    mul   t, tt1, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty1, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz2, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   ty2, w, h
    sub   e, e, u
    mul   tx2, e, v
    mul   tt2, e, h
    mul   tt2, d, tt2
; 3 P
    mul   xx, tx2, tx1
    add   u, tx2, ty2
    add   v, tx1, ty1
    mul   zz, tz2, tz1
    mul   t, tt2, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty2, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz3, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   ty3, w, h
    sub   e, e, u
    mul   tx3, e, v
    mul   tt3, e, h
    mul   tt3, d, tt3
; 4 P
    mul   xx, tx3, tx1
    add   u, tx3, ty3
    add   v, tx1, ty1
    mul   zz, tz3, tz1
    mul   t, tt3, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty3, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz4, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   ty4, w, h
    sub   e, e, u
    mul   tx4, e, v
    mul   tt4, e, h
    mul   tt4, d, tt4
; 5 P
    mul   xx, tx4, tx1
    add   u, tx4, ty4
    add   v, tx1, ty1
    mul   zz, tz4, tz1
    mul   t, tt4, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty4, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz5, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   ty5, w, h
    sub   e, e, u
    mul   tx5, e, v
    mul   tt5, e, h
    mul   tt5, d, tt5
; 6 P
    mul   xx, tx5, tx1
    add   u, tx5, ty5
    add   v, tx1, ty1
    mul   zz, tz5, tz1
    mul   t, tt5, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty5, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz6, v, w
    sub   h, yy, ax
    add   u, xx, yy
    mul   ty6, w, h
    sub   e, e, u
    mul   tx6, e, v
    mul   tt6, e, h
    mul   tt6, d, tt6
; 7 P
    mul   xx, tx6, tx1
    add   u, tx6, ty6
    add   v, tx1, ty1
    mul   zz, tz6, tz1
    mul   t, tt6, pt         ; d T1 T2
    mul   ax, a, xx
    mul   yy, ty6, ty1
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
;; the digits
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
;; three doublings
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
;; a sum
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
;; to the next digits
test:
    loop  round
;; the inverse
; 1 / Z = Z^(p - 2): digits of two bits; a scan sees a third one, so the table of powers is there twice
.number  inverse             ; p - 2
.count   half=bits/2
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
