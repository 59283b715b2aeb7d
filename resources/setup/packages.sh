# Debian 12 and Ubuntu packages, and the function that installs those that are missing. Sourced by ./run and ./check.

buildPackages=(
  g++ cmake ninja-build pkg-config
  qt6-base-dev qt6-svg-dev libgl-dev                 # the window, vector output
  libepoxy-dev libegl-dev                             # the OpenGL engine; not necessary
  libqcustomplot-dev                                  # charts
  libeigen3-dev libtbb-dev librandom123-dev libboost-math-dev
  libexpected-dev nlohmann-json3-dev libcli11-dev libzip-dev libmuparser-dev
)
runtimePackages=(
  fonts-inter fonts-dejavu-core                       # the window's and the figures' text
  qt6-qpa-plugins libqt6svg6                          # X11, Wayland and offscreen platforms; icons
)
checkPackages=(
  xvfb xauth poppler-utils python3 python3-numpy      # a screen for tests, PDF inspection, independent numbers
  clang libclang-rt-dev                            # libFuzzer
)

needPackages() {
  local missing=()
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian or Ubuntu: install the equivalents of the packages that README.md names; going on." >&2
    return 0
  fi
  local installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p' | sort -u)
  for package in "$@"; do
    grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Attnscope needs these packages, which are not installed: ${missing[*]}" >&2
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}
