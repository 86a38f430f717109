; SPDX-License-Identifier: Apache-2.0
; u G + v P on y^2 = x^3 + a x + b, any a and b, of odd order, in the doublings of one product (Straus; "Shamir's
; trick"). The check of a signature takes it. p is P, x + 2^N y with N the bits of a number in the engine; 2 G and -3
; G come with the context. d is a 1 and four bits for two of each scalar, as modmul.moduli.two_points.digits writes
; them: which entry of the table, and whether its negative.
;     modmul run two_points --core rrm -m 31 p=5+24*2^16 d=0x1471 a=5 b=23 b3=7 inverse=29 g2x=10 g2y=9 g3x=25 g3y=26
; modmul.use.ecc and modmul ecc run it with curves by name.
; Doublings are Jacobian, which have no exceptions on such curves, sums are complete (Renes, Costello, Batina 2016), and
; the time follows from the length of d alone. Nothing is blinded. Nothing leaves but a point of the curve that has been
; made of a point of the curve.
.table   tx ty tz 8
.number  one r2 m zero=0 nothing=0
.number  a=~a b=~b b3=~b3    ; b3 = 3 b
.number  g2x=~g2x g2y=~g2y   ; 2 G
.number  g3x=~g3x g3y=~g3y   ; -3 G
.operand p d
.long    p nothing
.modulus m

    mul   x, p.0, r2
    mul   y, p.1, r2
; Is P on the curve?
    mul   xx, x, x
    mul   v, y, y
    add   w, xx, a
    mul   w, w, x
    add   w, w, b
    equal v, w
    move  right, zero^one

; the table: P - 3 G, P - G, P + G, P + 3 G, 3 P + 3 G, 3 P + G, 3 P - G, 3 P - 3 G, each the one before and a step
    move  sx1, g3x
    move  sy1, g3y
    move  sx2, g2x
    move  sy2, g2y
    move  sx3, g2x
    move  sy3, g2y
    move  sx4, g2x
    move  sy4, g2y
    move  sx5, x
    move  sy5, y
    move  sx6, x
    move  sy6, y
    sub   v, zero, g2y
    move  sx7, g2x
    move  sy7, v
    move  sx8, g2x
    move  sy8, v
    move  sx9, g2x
    move  sy9, v
    move  tx0, x
    move  ty0, y
    move  tz0, one
    move  tx1, x
    move  ty1, y
    move  tz1, one
    move  tx2, x
    move  ty2, y
    move  tz2, one
    move  tx3, x
    move  ty3, y
    move  tz3, one
    move  tx4, x
    move  ty4, y
    move  tz4, one
    move  tx5, x
    move  ty5, y
    move  tz5, one
    move  tx6, x
    move  ty6, y
    move  tz6, one
    move  tx7, x
    move  ty7, y
    move  tz7, one
build:
    add   x0, tx0, zero
    add   y0, ty0, zero
    add   z0, tz0, zero
    add   tx0, tx1, zero
    add   ty0, ty1, zero
    add   tz0, tz1, zero
    add   tx1, tx2, zero
    add   ty1, ty2, zero
    add   tz1, tz2, zero
    add   tx2, tx3, zero
    add   ty2, ty3, zero
    add   tz2, tz3, zero
    add   tx3, tx4, zero
    add   ty3, ty4, zero
    add   tz3, tz4, zero
    add   tx4, tx5, zero
    add   ty4, ty5, zero
    add   tz4, tz5, zero
    add   tx5, tx6, zero
    add   ty5, ty6, zero
    add   tz5, tz6, zero
    add   tx6, tx7, zero
    add   ty6, ty7, zero
    add   tz6, tz7, zero
    mul   t0, tx7, sx1
    mul   t1, ty7, sy1
    add   u, tx7, ty7
    add   v, sx1, sy1
    mul   t3, u, v
    mul   t4, sx1, tz7
    mul   t5, sy1, tz7
    mul   n, b3, tz7
    mul   t2, a, tz7
    add   u, t0, t1
    sub   t3, t3, u
    add   t4, t4, tx7
    add   t5, t5, ty7
    mul   e, a, t4
    add   e, n, e
    sub   g, t1, e
    add   e, t1, e
    mul   h, g, e
    add   u, t0, t0
    add   u, u, t0
    mul   t4, b3, t4
    add   u, u, t2
    sub   t2, t0, t2
    mul   t2, a, t2
    add   t4, t4, t2
    mul   q, u, t4
    mul   j, t5, t4
    mul   g, t3, g
    mul   u, t3, u
    mul   e, t5, e
    add   ty7, h, q
    sub   tx7, g, j
    add   tz7, e, u
    add   sx1, sx2, zero
    add   sy1, sy2, zero
    add   sx2, sx3, zero
    add   sy2, sy3, zero
    add   sx3, sx4, zero
    add   sy3, sy4, zero
    add   sx4, sx5, zero
    add   sy4, sy5, zero
    add   sx5, sx6, zero
    add   sy5, sy6, zero
    add   sx6, sx7, zero
    add   sy6, sy7, zero
    add   sx7, sx8, zero
    add   sy7, sy8, zero
    add   sx8, sx9, zero
    add   sy8, sy9, zero
    repeat 9, build
    move  tx3, tx2
    move  ty3, ty2
    move  tz3, tz2
    move  tx2, tx1
    move  ty2, ty1
    move  tz2, tz1
    move  tx1, tx0
    move  ty1, ty0
    move  tz1, tz0
    move  tx0, x0
    move  ty0, y0
    move  tz0, z0

; 0 as X : Y : Z with x = X / Z^2 and y = Y / 2 Z^3
    move  jx, zero
    move  jy, one
    move  jz, zero
    move  px, zero
    move  py, one
    bits  first              ; the 1
    jump  test
round:
    bits  3
    scan  qx, tx
    scan  qy, ty
    scan  qz, tz
double:
;; a doubling
    mul   h, jz, jz
    mul   g, jy, jy
    mul   e, jx, jx
    mul   n, h, h
    mul   n, a, n
    add   u, e, e
    add   u, u, e
    add   u, u, n            ; 3 X^2 + a Z^4
;;
    mul   jz, jy, jz
    mul   v, jx, g
    mul   w, u, u
    mul   g, g, g
    sub   w, w, v
    sub   jx, w, v
    sub   v, v, jx
    mul   v, u, v
    add   v, v, v
    sub   jy, v, g
    repeat 2, double
    bits  1
    sub   v, zero, qy
    move  qy, qy!v
; as X : Y : Z with x = X / Z and y = Y / Z
    mul   h, jz, jz
    mul   kx, jx, jz
    mul   kz, jz, h
    add   kx, kx, kx
    add   kz, kz, kz
    mul   t0, kx, qx
    mul   t1, jy, qy
    mul   t2, kz, qz
    add   u, kx, jy
    add   v, qx, qy
    mul   t3, u, v
    add   u, kx, kz
    add   v, qx, qz
    mul   t4, u, v
    add   u, jy, kz
    add   v, qy, qz
    mul   t5, u, v
    add   u, t0, t1
    sub   t3, t3, u
    add   u, t0, t2
    sub   t4, t4, u
    add   u, t1, t2
    sub   t5, t5, u
    mul   n, b3, t2
    mul   t2, a, t2
    mul   e, a, t4
    add   e, n, e
    sub   g, t1, e
    add   e, t1, e
    mul   h, g, e
    add   u, t0, t0
    add   u, u, t0
    mul   t4, b3, t4
    add   u, u, t2
    sub   t2, t0, t2
    mul   t2, a, t2
    add   t4, t4, t2
    mul   q, u, t4
    mul   j, t5, t4
    mul   g, t3, g
    mul   u, t3, u
    mul   e, t5, e
    add   py, h, q
    sub   px, g, j
    add   jz, e, u
; and as at first; 0 keeps a Y that is not 0
    mul   h, jz, jz
    add   u, py, py
    mul   jx, px, jz
    mul   jy, u, h
    equal jz, zero
    move  jy, jy^one
test:
    loop  round
;; the inverse
; 1 / Z = Z^(p - 2): digits of two bits; a scan sees a third one, so the table of powers is there twice
.number  inverse             ; p - 2
.count   half=bits/2
    move  tx0, one
    mul   tx2, jz, jz
    mul   tx3, f, jz
    move  tx1, jz
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
    mul   x1, px, v
    mul   y1, py, v
    mul   p.0, x1, 1
    mul   p.1, y1, 1

; is it on the curve, as P was?
    mul   w, x1, x1
    mul   v, y1, y1
    add   w, w, a
    mul   w, w, x1
    add   w, w, b
    add   u, w, one
    equal right, one
    move  v, u^v
    equal v, w
    release p, nothing
