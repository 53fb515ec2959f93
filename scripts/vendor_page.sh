#!/usr/bin/env bash
# Fetches what the playground's page stands on into rlgym/serve/page/vendor: scripts/vendor_page.sh
#
# preact.js is htm's standalone module, which holds Preact, its hooks and htm in one file. Both packages come from npm at the
# versions below; an archive with another sha512 is refused. tests/serve/test_page.py compares the committed files with FILES.
set -euo pipefail
HTM=htm@3.1.1
HTM_SHA512=983Vyg8NwUE7JkZ6NmOqpCZ+sh1bKv2iYTlUkzlWmA5JD2acKoxd4KVxbMmxX/85mtfdnDmTFoNKcg5DGAvxNQ==
PREACT=preact@10.4.1 # only its licence: the code is inside of htm's file
PREACT_SHA512=WKrRpCSwL2t3tpOOGhf2WfTpcmbpxaWtDbdJdKdjd0aEiTkvOmS4NBkG6kzlaAHI9AkQ3iVqbFWM3Ei7mZ4o1Q==
# sha256 and name of each file.
FILES="
72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7  preact.js
740725f7252e750af735d0028cc534970772f513331e9f68150fede8fb3ce00f  LICENSE-htm
1fe6958409c8c257a70c587a18b6f7f412b179b456630790d30b2ec9a8e4b7d4  LICENSE-preact
"
here=$(cd "$(dirname "$0")/.." && pwd)/rlgym/serve/page/vendor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fetch() { # package, sha512 in base64, folder to unpack it into
  local archive got
  archive=$(npm pack --silent "$1" | tail -1)
  got=$(openssl dgst -sha512 -binary "$archive" | openssl base64 -A)
  if [ "$got" != "$2" ]; then
    echo "$1 is not the package that was pinned: its sha512 is $got, not $2" >&2
    exit 1
  fi
  mkdir "$3"
  tar -xzf "$archive" -C "$3" --strip-components=1
}

fetch "$HTM" "$HTM_SHA512" htm
fetch "$PREACT" "$PREACT_SHA512" preact
mkdir -p files "$here"
cp htm/preact/standalone.module.js files/preact.js
cp htm/LICENSE files/LICENSE-htm
cp preact/LICENSE files/LICENSE-preact
(cd files && sed '/^$/d' <<<"$FILES" | sha256sum --check --quiet)
cp files/* "$here"
echo "wrote $(ls "$here" | tr '\n' ' ')to $here"
