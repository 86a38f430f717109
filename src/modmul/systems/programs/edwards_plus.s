; SPDX-License-Identifier: Apache-2.0
; k P on x^2 + y^2 = 1 + d x^2 y^2, d no square: as edwards, in a product less for each doubling and each sum.
;     modmul run edwards_plus --core rrm -m 29 p=4+14*2^16 k=5 a=1 d=2 inverse=27 blind=10
; modmul.use.ecc and modmul ecc run it with curves by name.
.like edwards
;; 2 P to 7 P
; 2 P
    mul   xx, tx1, tx1
    add   u, tx1, ty1
    add   v, tx1, ty1
    mul   zz, tz1, tz1
    mul   t, tt1, pt         ; d T1 T2
    mul   yy, ty1, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz2, v, w
    sub   h, yy, xx
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
    mul   yy, ty2, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz3, v, w
    sub   h, yy, xx
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
    mul   yy, ty3, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz4, v, w
    sub   h, yy, xx
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
    mul   yy, ty4, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz5, v, w
    sub   h, yy, xx
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
    mul   yy, ty5, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz6, v, w
    sub   h, yy, xx
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
    mul   yy, ty6, ty1
    mul   e, u, v
    sub   v, zz, t
    add   w, zz, t
    mul   tz7, v, w
    sub   h, yy, xx
    add   u, xx, yy
    mul   ty7, w, h
    sub   e, e, u
    mul   tx7, e, v
    mul   tt7, e, h
    mul   tt7, d, tt7
;; three doublings
double:
    mul   xx, qx, qx
    mul   yy, qy, qy
    add   u, qx, qy
    mul   zz, qz, qz
    mul   e, u, u
    add   w, xx, yy
    sub   h, xx, yy
    add   zz, zz, zz
    mul   qy, w, h
    sub   v, w, zz
    mul   qz, v, w
    sub   e, e, w
    mul   qx, e, v
    repeat 3, double
;; a sum
    mul   qt, e, h
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
