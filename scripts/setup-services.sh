#!/bin/sh
# Installs the servers that the tests talk to (Dovecot, Postfix, PostgreSQL), where they are missing and we may.
# Run again, it does nothing. None of them is started: the tests start private instances of their own.
set -eu
PATH="$PATH:/usr/sbin:/sbin"

missing=""
command -v dovecot >/dev/null 2>&1 || missing="$missing dovecot-imapd dovecot-lmtpd"
[ -e /usr/lib/dovecot/lmtp ] || case "$missing" in *lmtpd*) ;; *) missing="$missing dovecot-lmtpd" ;; esac
[ -e /usr/lib/dovecot/imap ] || case "$missing" in *imapd*) ;; *) missing="$missing dovecot-imapd" ;; esac
command -v postfix >/dev/null 2>&1 || missing="$missing postfix"
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
command -v openssl >/dev/null 2>&1 || missing="$missing openssl"

if [ -z "$missing" ]; then
    echo "services: everything is installed"
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "services: missing:$missing; this machine has no apt-get, so the tests that need them are skipped"
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    root="sudo -n"
else
    echo "services: missing:$missing; we are neither root nor have sudo, so the tests that need them are skipped"
    exit 0
fi

# Debian asks this file whether a package may start its daemon; ours goes away again.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | $root tee "$policy" >/dev/null
    $root chmod 755 "$policy"
    trap '$root rm -f "$policy"' EXIT
fi

log=$(mktemp)
# shellcheck disable=SC2086  # the package names are words
if ! { $root apt-get update -qq \
    && $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
    >"$log" 2>&1; then
    echo "services: apt-get could not install$missing:" >&2
    tail -n 20 "$log" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"
echo "services: installed$missing"
