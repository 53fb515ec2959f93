#!/usr/bin/env bash
# A Docker daemon for the sandbox's tests: scripts/docker_daemon.sh [start|stop]
#
# start  prints the path of a socket on which a daemon answers. One that is there already is taken; else docker.io is installed
#        with apt where it is missing, and dockerd is started with folders of its own and without a network.
# stop   ends the daemon that start started, and removes its folders.
#
# gVisor's runtime, runsc, is offered where it is installed, on the platform that RLGYM_RUNSC_PLATFORM names (default: ptrace).
# Where there can be no daemon the reason goes to standard error, and the exit status is 3.
# RLGYM_DOCKER_HOME is the folder of the daemon's own (default: rlgym-docker below TMPDIR).
set -euo pipefail
home=${RLGYM_DOCKER_HOME:-${TMPDIR:-/tmp}/rlgym-docker-$(id -u)}
socket=$home/docker.sock
patience=60

cannot() { echo "no docker daemon: $*" >&2; exit 3; }

answers() {
  python3 - "$1" <<'PING' 2>/dev/null
import socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.settimeout(5)
    asked.connect(sys.argv[1])
    asked.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
    said = b""
    while piece := asked.recv(4096):
        said += piece
sys.exit(not said.endswith(b"OK"))
PING
}

running() { [ -s "$home/docker.pid" ] && [ "$(cat "/proc/$(cat "$home/docker.pid")/comm" 2>/dev/null)" = dockerd ]; }

installed() {
  command -v dockerd >/dev/null && return
  command -v apt-get >/dev/null || cannot "dockerd is not installed, and there is no apt-get to install it with"
  local log
  log=$(mktemp)
  if ! { apt-get install -y --no-install-recommends docker.io || { apt-get update && apt-get install -y --no-install-recommends docker.io; }; } \
    >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    cannot "apt-get could not install docker.io"
  fi
  rm -f "$log"
  command -v dockerd >/dev/null || cannot "docker.io is installed, but has no dockerd on the path"
}

start() {
  local given=${DOCKER_HOST:-unix:///var/run/docker.sock}
  for one in "${given#unix://}" "$socket"; do
    if [ -S "$one" ] && answers "$one"; then
      echo "$one"
      return
    fi
  done
  [ "$(uname -s)" = Linux ] || cannot "dockerd runs on Linux, and this is $(uname -s); start Docker Desktop or the like by hand"
  [ "$(id -u)" = 0 ] || cannot "none answers at ${given#unix://}, and starting one takes root; this is user $(id -un)"
  export DEBIAN_FRONTEND=noninteractive
  installed
  mkdir -p -m 700 "$home"
  [ -O "$home" ] && [ ! -L "$home" ] || cannot "$home belongs to somebody else"
  running || rm -f "$home/docker.pid" "$socket"
  local runtimes=""
  if command -v runsc >/dev/null; then
    runtimes="\"runsc\": {\"path\": \"$(command -v runsc)\", \"runtimeArgs\": [\"--network=none\", \"--platform=${RLGYM_RUNSC_PLATFORM:-ptrace}\"]}"
  fi
  echo "{\"runtimes\": {$runtimes}}" >"$home/daemon.json"
  setsid dockerd --config-file "$home/daemon.json" --data-root "$home/data" --exec-root "$home/run" --pidfile "$home/docker.pid" --host "unix://$socket" \
    --bridge=none --iptables=false --ip-forward=false --ip-masq=false </dev/null >"$home/log" 2>&1 &
  local process=$!
  for _ in $(seq $((patience * 5))); do
    if [ -S "$socket" ] && answers "$socket"; then
      echo "$socket"
      return
    fi
    if ! kill -0 "$process" 2>/dev/null && ! running; then
      tail -n 5 "$home/log" >&2
      cannot "dockerd ended at once; its words are above"
    fi
    sleep 0.2
  done
  stop
  cannot "dockerd did not answer within $patience seconds"
}

stop() {
  if running; then
    local process
    process=$(cat "$home/docker.pid")
    kill "$process"
    for _ in $(seq 150); do
      kill -0 "$process" 2>/dev/null || break
      sleep 0.2
    done
    kill -9 "$process" 2>/dev/null || true
  fi
  # What a daemon that was killed left: processes that were told of its folders.
  for process in /proc/[0-9]*; do
    case $(cat "$process/comm" 2>/dev/null) in
      containerd* | runsc* | exe)
        if tr '\0' ' ' <"$process/cmdline" 2>/dev/null | grep -qF -- "$home/"; then kill -9 "${process#/proc/}" 2>/dev/null || true; fi ;;
    esac
  done
  [ -d "$home" ] || return 0
  # What was still mounted for containers goes first.
  awk -v home="$home/" 'index($2, home) == 1 { print $2 }' /proc/self/mounts | sort -r | xargs -r umount 2>/dev/null || true
  rm -rf "$home"
}

case ${1:-start} in
  start | stop) "${1:-start}" ;;
  *) echo "usage: $0 [start|stop]" >&2; exit 2 ;;
esac
