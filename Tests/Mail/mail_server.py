"""A mail server for tests, by aiosmtpd.

usage: mail_server.py FOLDER [--tls | --starttls] [--user NAME --password WORD [--only-login]] [--one-per-connection]
       mail_server.py FOLDER --silent | --inject

Listens on a free port of 127.0.0.1 and prints one JSON object a line: first the port and, with TLS, the file of its
certificate; then each connection and each mail with its envelope, as Python's email package reads it.

The part before the @ of a recipient chooses what happens to the mail: greylisted is turned away once, unknown and spam are
refused before and after the text, dies ends the connection once without an answer, hangs answers the text once never,
chatty and idle get a second answer after the one to the text, halting the beginning of one.
--silent accepts connections and says nothing; --inject slips in an answer before the encryption begins.
"""

import argparse
import asyncio
import email
import email.policy
import json
import os
import ssl
import subprocess
from email import errors

from aiosmtpd.smtp import SMTP, AuthResult


def tell(event, **values):
    print(json.dumps({"event": event, **values}), flush=True)


class Handler:
    def __init__(self, closes):
        self.closes = closes
        self.seen = set()

    def is_first(self, name, address):
        key = (name, address)
        if address.split("@")[0] != name or key in self.seen:
            return False
        self.seen.add(key)
        return True

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.is_first("greylisted", address):
            tell("greylisted")
            return "450 4.2.0 come back later, " + address
        if address.startswith("unknown@"):
            return "550 5.1.1 no such user here: " + address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        address = envelope.rcpt_tos[0]
        if address.startswith("spam@"):
            return "554 5.7.1 not wanted"
        encrypted = server.transport.get_extra_info("sslcontext") is not None
        tell("mail", **describe(envelope), encrypted=encrypted, user=session.auth_data)
        if self.is_first("dies", address):
            server.transport.abort()
        if self.is_first("hangs", address):
            await asyncio.sleep(3600)
        if self.closes:
            asyncio.get_running_loop().call_soon(server.transport.close)
        second = {
            "chatty": "\r\n250 2.0.0 still here", "idle": "\r\n421 4.4.2 idle for too long",
            "halting": "\r\n250-2.0.0 still"}
        return "250 2.0.0 taken" + second.get(address.split("@")[0], "")


def describe(envelope):
    raw = envelope.original_content
    # The text of its parts is encoded in ASCII; with SMTPUTF8 the head has UTF-8.
    message = email.message_from_string(raw.decode(), policy=email.policy.SMTPUTF8)
    parts = {part.get_content_type(): part for part in message.walk()}
    defects = [defect for part in message.walk() for defect in part.defects]
    defects += [defect for value in message.values() for defect in value.defects]
    # Python counts what SMTPUTF8 allows as a defect.
    if "SMTPUTF8" in envelope.mail_options:
        defects = [defect for defect in defects if not isinstance(defect, errors.NonASCIILocalPartDefect)]
    return {
        "sender": envelope.mail_from,
        "recipients": envelope.rcpt_tos,
        "options": envelope.mail_options,
        "headers": [[name, str(value)] for name, value in message.items()],
        "text": parts["text/plain"].get_content().replace("\r\n", "\n"),
        "html": parts["text/html"].get_content(),
        "defects": [str(defect) for defect in defects],
        "longestLine": max(len(line) for line in raw.split(b"\r\n")),
        "bareNewlines": raw.replace(b"\r\n", b"").count(b"\n") + raw.replace(b"\r\n", b"").count(b"\r"),
    }


def certificate(folder):
    files = f"{folder}/certificate.pem", f"{folder}/key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-out", files[0], "-keyout", files[1]],
        check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context, files[0]


async def silent(reader, writer):
    tell("connected")
    await reader.read()


async def inject(reader, writer):
    writer.write(b"220 ready\r\n")
    while line := await reader.readline():
        if line.startswith(b"EHLO"):
            writer.write(b"250-localhost\r\n250 STARTTLS\r\n")
        elif line.startswith(b"STARTTLS"):
            writer.write(b"220 go ahead\r\n250 slipped in\r\n")
        else:
            break
    tell("ended")


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    for flag in ["tls", "starttls", "only-login", "one-per-connection", "silent", "inject"]:
        parser.add_argument("--" + flag, action="store_true")
    parser.add_argument("--user")
    parser.add_argument("--password")
    given = parser.parse_args()
    loop = asyncio.get_running_loop()
    context, path = certificate(given.folder) if given.tls or given.starttls else (None, None)
    if given.silent or given.inject:
        server = await asyncio.start_server(silent if given.silent else inject, "127.0.0.1", 0)
    else:
        handler = Handler(given.one_per_connection)

        def authenticate(server, session, envelope, mechanism, data):
            is_right = (data.login, data.password) == (given.user.encode(), given.password.encode())
            tell("login", mechanism=mechanism, accepted=is_right)
            return AuthResult(success=is_right, handled=False, auth_data=given.user if is_right else None)

        def protocol():
            tell("connected")
            return SMTP(
                handler, hostname="localhost", enable_SMTPUTF8=True,
                tls_context=context if given.starttls else None, require_starttls=given.starttls,
                authenticator=authenticate if given.user else None, auth_required=bool(given.user),
                auth_require_tls=False, auth_exclude_mechanism=["PLAIN"] if given.only_login else None)

        server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=context if given.tls else None)
    tell("listening", port=server.sockets[0].getsockname()[1], certificate=path)
    # Ends with the test, also if the test is killed.
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(1)


asyncio.run(main())
