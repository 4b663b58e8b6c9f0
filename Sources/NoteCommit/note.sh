#!/bin/sh
# Writes down the commit that a checkout is at, as Swift. A file that says so already stays as it is, so that nothing
# is compiled again.
#
# usage: note.sh CHECKOUT FOLDER; the file comes to FOLDER/NotedCommit.swift
set -eu
checkout=$1 folder=$2
commit=unknown

# Sources that lie unpacked within somebody else's checkout are not of that one's commit.
if top=$(git -C "$checkout" rev-parse --show-toplevel 2> /dev/null) && [ "$top" = "$(cd "$checkout" && pwd -P)" ]; then
  commit=$(git -C "$checkout" rev-parse --short=12 HEAD 2> /dev/null) || commit=unknown
  if [ -n "$(git -C "$checkout" status --porcelain -- \
    Package.swift Package.resolved Sources migrations clients/typescript docs/openapi.yaml)" ]; then
    commit=$commit+
  fi
elif [ -n "${HEARTH_COMMIT-}" ]; then
  # An image is built without the history. It becomes a literal, so it is digits or it is not believed.
  case ${HEARTH_COMMIT%+} in
    *[!0-9a-f]* | "") ;;
    *) commit=$HEARTH_COMMIT ;;
  esac
fi

text="let notedCommit = \"$commit\""
mkdir -p "$folder"
file=$folder/NotedCommit.swift
if [ "$(cat "$file" 2> /dev/null)" != "$text" ]; then echo "$text" > "$file"; fi
