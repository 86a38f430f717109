; SPDX-License-Identifier: Apache-2.0
; x^e mod M by left-to-right exponentiation with windows of 2 bits.
; R is the core's Montgomery radix, 1 in the plain domain; a * b stands for its product a b / R mod M.
.table   t 4
.number  t0=one r2           ; R mod M, R^2 mod M
.operand x e
.entry   product

main:
    mul   t1, x, r2         ; x R: enter the domain
    mul   t2, f, f
    mul   t3, f, t1
    bits  first             ; the first digit
    scan  s
    mul   -, s, t0          ; s itself, into f
    jump  test

round:                      ; a further digit: its squares while the table is read
    bits  2
    scan  s
    mul   -, f, f
    mul   -, f, f
    mul   -, f, s
test:
    loop  round
    mul   -, f, 1           ; leave the domain
    out   f

product:                    ; x y mod M in place of the power
    mul   -, x, r2
    mul   -, f, e
    out   f
