; SPDX-License-Identifier: Apache-2.0
; k P on -x^2 + y^2 = 1 + d x^2 y^2, -1 a square and d none: as edwards, in a product less for each doubling and two for
; each sum.
;     modmul run edwards_minus --core rrm -m 29 p=7+20*2^16 k=5 a=28 d=14 inverse=27 blind=10
; modmul.use.ecc and modmul ecc run it with curves by name.
; The tables hold Y - X, Y + X, 2 Z and 2 d T.
.like edwards
;; 0 P and P
    mul   qx, x1, l
    mul   qy, y1, l
    mul   qt, x1, qy
    move  qz, l
    mul   l, l, l
    add   d2, d, d
    sub   tx1, qy, qx
    add   ty1, qy, qx
    add   tz1, qz, qz
    mul   tt1, d2, qt
    move  tx0, qz
    move  ty0, qz
    move  tz0, tz1
    move  tt0, zero
;; 2 P to 7 P
; 2 P
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, tz1
    mul   t, qt, tt1          ; 2 d T1 T2
    mul   u, u, tx1
    mul   v, v, ty1
    sub   f1, zz, t
    add   g, zz, t
    sub   e, v, u
    add   h, v, u
    mul   qz, f1, g
    mul   qt, e, h
    mul   qx, e, f1
    mul   qy, g, h
    add   tz2, qz, qz
    mul   tt2, d2, qt
    sub   tx2, qy, qx
    add   ty2, qy, qx
; 3 P
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, tz1
    mul   t, qt, tt1          ; 2 d T1 T2
    mul   u, u, tx1
    mul   v, v, ty1
    sub   f1, zz, t
    add   g, zz, t
    sub   e, v, u
    add   h, v, u
    mul   qz, f1, g
    mul   qt, e, h
    mul   qx, e, f1
    mul   qy, g, h
    add   tz3, qz, qz
    mul   tt3, d2, qt
    sub   tx3, qy, qx
    add   ty3, qy, qx
; 4 P
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, tz1
    mul   t, qt, tt1          ; 2 d T1 T2
    mul   u, u, tx1
    mul   v, v, ty1
    sub   f1, zz, t
    add   g, zz, t
    sub   e, v, u
    add   h, v, u
    mul   qz, f1, g
    mul   qt, e, h
    mul   qx, e, f1
    mul   qy, g, h
    add   tz4, qz, qz
    mul   tt4, d2, qt
    sub   tx4, qy, qx
    add   ty4, qy, qx
; 5 P
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, tz1
    mul   t, qt, tt1          ; 2 d T1 T2
    mul   u, u, tx1
    mul   v, v, ty1
    sub   f1, zz, t
    add   g, zz, t
    sub   e, v, u
    add   h, v, u
    mul   qz, f1, g
    mul   qt, e, h
    mul   qx, e, f1
    mul   qy, g, h
    add   tz5, qz, qz
    mul   tt5, d2, qt
    sub   tx5, qy, qx
    add   ty5, qy, qx
; 6 P
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, tz1
    mul   t, qt, tt1          ; 2 d T1 T2
    mul   u, u, tx1
    mul   v, v, ty1
    sub   f1, zz, t
    add   g, zz, t
    sub   e, v, u
    add   h, v, u
    mul   qz, f1, g
    mul   qt, e, h
    mul   qx, e, f1
    mul   qy, g, h
    add   tz6, qz, qz
    mul   tt6, d2, qt
    sub   tx6, qy, qx
    add   ty6, qy, qx
; 7 P
    sub   u, qy, qx
    add   v, qy, qx
    mul   zz, qz, tz1
    mul   t, qt, tt1          ; 2 d T1 T2
    mul   u, u, tx1
    mul   v, v, ty1
    sub   f1, zz, t
    add   g, zz, t
    sub   e, v, u
    add   h, v, u
    mul   qz, f1, g
    mul   qt, e, h
    mul   qx, e, f1
    mul   qy, g, h
    add   tz7, qz, qz
    mul   tt7, d2, qt
    sub   tx7, qy, qx
    add   ty7, qy, qx
;; the digits
    bits  first
    scan  sx, tx
    scan  sy, ty
    scan  qz, tz
    sub   qx, sy, sx
    add   qy, sy, sx
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
    mul   zz, qz, qz
    mul   e, u, u
    sub   w, xx, yy          ; the signs of x and z are changed
    add   h, xx, yy
    add   zz, zz, zz
    mul   qy, w, h
    add   v, w, zz
    mul   qz, v, w
    sub   e, h, e
    mul   qx, e, v
    repeat 3, double
;; a sum
    mul   qt, e, h
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
