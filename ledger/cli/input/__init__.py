"""What commands read: options, fields of records as options, questions at a terminal, completion."""
