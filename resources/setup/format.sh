#!/usr/bin/env bash
# Puts the C++ of the tree into the one style of .clang-format; with --check it says what is not in it, and changes nothing.
# Versions of clang-format differ in places: it is 14, Debian 12's. Where that is not to be had it exits with 77 (not run).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

for format in clang-format-14 clang-format ''; do
  [ -n "$format" ] || { echo "format: not run: there is no clang-format 14 here" >&2; exit 77; }
  if "$format" --version 2>/dev/null | grep -q 'version 14\.'; then break; fi
done
# Lines of comments stay as they are written, and none is longer than the others.
long=$(LC_ALL=C.UTF-8 grep -rnE --include='*.cpp' --include='*.h' --include='*.inc' '^.{121,}$' app core ui tests | grep -E '^[^:]+:[0-9]+: *//' | cut -d: -f1,2 || true)
[ -z "$long" ] || { printf '%s\n' "$long"; echo "format: the lines above are comments of more than 120 letters; break them by hand" >&2; [ "${1:-}" != --check ] || exit 1; }
# These of C write into a variable of the whole process, and every computation here may run on several threads at once.
shared=$(grep -rnE --include='*.cpp' --include='*.h' --include='*.inc' '(^|[^A-Za-z0-9_.>])(lgamma|strtok|localtime|gmtime|rand) *\(' app core ui || true)
[ -z "$shared" ] || { printf '%s\n' "$shared"; echo "format: the lines above share a variable between threads; core/theory/ln_gamma.h and std::chrono do not" >&2; [ "${1:-}" != --check ] || exit 1; }
find app core ui tests \( -name '*.cpp' -o -name '*.h' -o -name '*.inc' \) -print0 |
  if [ "${1:-}" = --check ]; then
    xargs -0 "$format" --style=file --dry-run --Werror || { echo "format: resources/setup/format.sh puts the files named above into the style" >&2; exit 1; }
  else
    xargs -0 "$format" --style=file -i
  fi
