#if TerminalPrograms
    import PouchClient

    /// How orders are shown: in a list, and one with all its lines.
    enum OrderText {
        static func list(_ orders: [Order]) -> [Block] {
            guard !orders.isEmpty else { return [.line("There are no orders yet.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "NUMBER"), .init(title: "ID"), .init(title: "PLACED"), .init(title: "STATUS"),
                            .init(title: "TOTAL", isNumber: true),
                        ],
                        rows: orders.map { order in
                            [
                                Text(order.number, .bold), Text(order.id), Text(time: order.createdAt),
                                status(order.status), Text(order.totals.total),
                            ]
                        }
                    ))
            ]
        }

        /// For administrators, who have to know whose an order is.
        static func managedList(_ orders: [Order]) -> [Block] {
            guard !orders.isEmpty else { return [.line("There are no such orders.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "NUMBER"), .init(title: "ID"), .init(title: "PLACED"), .init(title: "STATUS"),
                            .init(title: "TOTAL", isNumber: true), .init(title: "REFUNDED", isNumber: true),
                            .init(title: "E-MAIL"),
                        ],
                        rows: orders.map { order in
                            let refunded = order.payment.refunded
                            return [
                                Text(order.number, .bold), Text(order.id), Text(time: order.createdAt),
                                status(order.status), Text(order.totals.total),
                                refunded.amount > 0 ? Text(refunded) : "", Text(order.email ?? ""),
                            ]
                        }
                    ))
            ]
        }

        static func blocks(_ order: Order) -> [Block] {
            var blocks: [Block] = [
                .line(Text(order.number, .bold) + "  " + status(order.status) + "  " + Text(time: order.createdAt)),
                .line(Text("ID: ", .dim) + Text(order.id)),
            ]
            if let email = order.email { blocks.append(.line(Text("E-mail: ", .dim) + Text(email))) }
            blocks += [.blank, .table(lines(order.lines)), .blank]
            blocks += TotalsText.blocks(order.totals)
            blocks += order.shipping.map(ShippingText.blocks) ?? []
            if order.payment.refunded.amount > 0 {
                blocks.append(.line(Text("Refunded: ", .dim) + Text(order.payment.refunded)))
            }
            blocks += [.blank] + order.history.map { .line(Text(time: $0.at, .dim) + "  " + status($0.status)) }
            if order.status == .pending {
                blocks.append(
                    .line(Text("The payment is being settled; `pouch order \(order.id)` shows how it ends.", .yellow)))
            }
            return blocks
        }

        private static func lines(_ lines: [OrderLine]) -> Table {
            Table(
                columns: [
                    .init(title: "SKU"), .init(title: "NAME"), .init(title: "OPTIONS"),
                    .init(title: "QTY", isNumber: true), .init(title: "EACH", isNumber: true),
                    .init(title: "SUM", isNumber: true),
                ],
                rows: lines.map { line in
                    [
                        Text(line.sku), Text(line.name), Text(OptionsText.values(line.options)), "\(line.quantity)",
                        Text(line.unitPrice), Text(line.lineTotal),
                    ]
                }
            )
        }

        private static func status(_ status: OrderStatus) -> Text {
            switch status {
            case .pending: Text("payment pending", .yellow)
            case .paid: Text("paid", .green)
            case .fulfilled: Text("on its way", .green)
            case .delivered: Text("delivered", .green)
            case .cancelled: Text("cancelled", .red)
            case .refunded: Text("refunded", .red)
            case .partiallyRefunded: Text("partly refunded", .yellow)
            case .unrecognised: Text("unknown")
            }
        }
    }
#endif
