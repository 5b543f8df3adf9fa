"""Mail in and out: mailboxes, SMTP, composing, and reading what people wrote."""
