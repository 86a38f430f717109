; SPDX-License-Identifier: Apache-2.0
; x^e mod M by left-to-right exponentiation with windows of 2 bits.
; R is the core's Montgomery radix, 1 in the plain domain; a * b stands for its product a b / R mod M.
.table   t 4
.number  t0=one r2           ; R mod M, R^2 mod M
.operand x e
.entry   product

main:
;; t[1] = x * R²: into the domain of the core
    mul   t1, x, r2
;; t[j] = f * t[1] for all other digits j
    mul   t2, f, f
    mul   t3, f, t1
;; f = t[the first digit] * R, t[0] = R: the entry itself
    bits  first
    scan  s
    mul   -, s, t0
    jump  test

round:
;; a further digit: f = f * f for each of its bits, while the table is read, and f = f * t[digit]
    bits  2
    scan  s
    mul   -, f, f
    mul   -, f, f
    mul   -, f, s
test:
    loop  round
;; z = f * 1: out of the domain
    mul   -, f, 1
    out   f

product:
;; with `product_i`: z = x·y mod M, f = x * R², z = f * y
    mul   -, x, r2
    mul   -, f, e
    out   f
