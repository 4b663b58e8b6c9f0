#!/bin/sh
# Makes one minified module of the console's modules, another of those that come when a table is opened, and one style
# sheet, with source maps that lead to the files as they are served. Equal files give equal bytes, wherever they lie.
# Without esbuild it makes what does the same in more requests: the files as they are, which import the others.
#
# usage: bundle.sh ASSETS CLIENT FOLDER, all three absolute; the files come to FOLDER/made
set -eu
assets=$1 client=$2 folder=$3
mkdir -p "$folder/made"

if ! command -v esbuild > /dev/null; then
  echo "note: without esbuild the console takes many requests; to change that, install it, touch $0 and build" >&2
  cp "$assets/shared.js" "$folder/made/shared.js"
  for name in bundle.js sheets.js gallery.js bundle.css; do
    cp "$assets/$name" "$folder/made/$name"
    echo '{"version":3,"sources":[],"names":[],"mappings":""}' > "$folder/made/$name.map"
  done
  exit 0
fi

# The paths that the files are served at, one folder beside what is made, as a browser sees them.
rm -rf "$folder/console"
mkdir "$folder/console"
ln -s "$assets"/* "$folder/console/"
ln -s "$client" "$folder/console/client"
cd "$folder"
# Source maps say where the modules are served instead of repeating them.
make() {
  esbuild "$@" --bundle --format=esm --minify --charset=utf8 --preserve-symlinks \
    --log-override:commonjs-variable-in-esm=silent --log-level=warning \
    --sourcemap=linked --sources-content=false --outdir=made
}
# SortableJS looks for the module systems that it might have been loaded by. What makes QR codes is a tenth of the rest,
# and comes when somebody asks for one; Chinese is another, and comes when somebody reads it; tables and
# the library of pictures come when somebody opens them. The phone has its page without polling, and nobody taps it.
make console/bundle.js console/bundle.css \
  --external:./console/vendor/qrcode.js --external:./console/lib/chinese.js \
  --external:./console/sheets.js --external:./console/gallery.js --external:./console/client/polling.js \
  --external:./console/client/seen.js --external:./console/client/actions.js
# What they share with the rest is in the module that is there already: a second one would have a state of its own.
make console/sheets.js console/gallery.js --external:./console/shared.js --external:./console/vendor/qrcode.js
echo 'export * from "./bundle.js";' > made/shared.js
