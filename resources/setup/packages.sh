# Packages of Debian 12, 13 and Ubuntu, and the function that installs those that are missing. Sourced by ./run and ./check.
# FIRST|OTHER is the first of them that the system has: packages are split from one release to the next.

buildPackages=(
  g++ cmake ninja-build pkg-config
  qt6-base-dev qt6-svg-dev libgl-dev                 # the window, vector output
  libepoxy-dev libegl-dev                             # the OpenGL engine; not necessary
  libqcustomplot-dev                                  # charts
  libeigen3-dev libtbb-dev librandom123-dev libboost-math-dev
  libexpected-dev libfmt-dev nlohmann-json3-dev libcli11-dev libzip-dev libmuparser-dev libicu-dev libonig-dev gzip
  libgif-dev                                          # recordings as GIF
  libsqlite3-dev                                      # tables of sweeps
  libsentencepiece-dev                                # models that come with a tokenizer.model alone; not necessary
  ccache                                              # the second build of the same source costs seconds; not necessary
)
runtimePackages=(
  fonts-inter fonts-dejavu-core                       # the window's and the figures' text
  qt6-qpa-plugins                                     # X11, Wayland and offscreen platforms
  'qt6-svg-plugins|libqt6svg6'                        # icons
)
checkPackages=(
  xvfb xauth libgl1-mesa-dri                          # a screen for tests, and OpenGL in software
  poppler-utils python3 python3-numpy                 # PDF inspection, independent numbers
  clang libclang-rt-dev                               # libFuzzer
  clang-format                                        # the style of the code; Debian 12's version 14 is the one that is asked
  mold                                                # links of a hundred tests; not necessary
  libopenmpi-dev openmpi-bin                          # sweeps over ranks; not necessary
)

# needPackages NAME...: installs what is missing of the packages. Whatever keeps it from that, it says in one sentence, and returns 1.
needPackages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian or Ubuntu: install the equivalents of the packages that resources/setup/packages.sh names; going on." >&2
    return 0
  fi
  local missing asRoot=()
  missing=($(missingPackages "$@"))
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Attnscope needs these packages, which are not installed: ${missing[*]}" >&2
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Installing them needs root, and there is no sudo here. As root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    asRoot=(sudo)
  fi
  echo "Installing them." >&2
  if ! "${asRoot[@]}" apt-get update -qq >&2; then
    echo "apt-get update failed (its lines above say why); going on with the lists of packages that are here." >&2
  fi
  missing=($(missingPackages "$@"))  # a system without lists did not know what it has
  if ! "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2; then
    echo "apt-get could not install them; its lines above say why. When that is mended, run this again, or install them by hand: ${missing[*]}" >&2
    return 1
  fi
}

# missingPackages NAME...: those that are not installed, one a line.
missingPackages() {
  local installed package first
  # dpkg-query ends with 1 as soon as it does not know one of them, and still prints the others.
  installed=$({ dpkg-query -W -f '${Package} ${db:Status-Status}\n' ${@//|/ } 2>/dev/null || true; } | sed -n 's/ installed$//p')
  for package in "$@"; do
    while first=${package%%|*} && [ "$first" != "$package" ]; do
      if grep -qxF -- "$first" <<<"$installed" || apt-cache show --no-all-versions "$first" >/dev/null 2>&1; then break; fi
      package=${package#*|}
    done
    grep -qxF -- "$first" <<<"$installed" || echo "$first"
  done
}
