# Takes jfathom from its input, and says which version the copy has. $1: the mark, $2: the folder.
umask 077
cat >"$2/jfathom" && chmod 0700 "$2/jfathom" || exit 1
version=$("$2/jfathom" --version </dev/null) || exit 1
printf '\n%s\n%s\n' "$1" "$version"
