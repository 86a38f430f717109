; SPDX-License-Identifier: Apache-2.0
; u G + v P on y^2 = x^3 - 3 x + b, any b, of odd order: as two_points, in two products less a doubling.
;     modmul run two_points3 --core rrm -m 31 p=2+28*2^16 d=0x14971 a=28 b=7 b3=21 inverse=29 g2x=6 g2y=9 g3x=1 g3y=25
; modmul.use.ecc and modmul ecc run it with curves by name.
.like two_points
;; a doubling
    mul   h, jz, jz
    mul   g, jy, jy
    sub   u, jx, h
    add   v, jx, h
    mul   v, u, v
    add   u, v, v
    add   u, u, v            ; 3 (X^2 - Z^4)
