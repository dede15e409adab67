#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

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
                                StyledText(order.number, .bold), StyledText(order.id),
                                StyledText(time: order.createdAt),
                                status(order), StyledText(order.totals.total),
                            ]
                        }
                    ))
            ]
        }

        private static func status(_ order: Order) -> StyledText {
            guard order.deliveryFailure != nil else { return StyledText(order.status) }
            return StyledText(order.status) + StyledText(", not delivered", .red)
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
                                StyledText(order.number, .bold), StyledText(order.id),
                                StyledText(time: order.createdAt),
                                StyledText(order.status), StyledText(order.totals.total),
                                refunded.amount > 0 ? StyledText(refunded) : "", StyledText(order.email ?? ""),
                            ]
                        }
                    ))
            ]
        }

        static func blocks(_ order: Order) -> [Block] {
            var blocks: [Block] = [
                .line(
                    StyledText(order.number, .bold) + "  " + StyledText(order.status) + "  "
                        + StyledText(time: order.createdAt)),
                .line(StyledText("ID: ", .dim) + StyledText(order.id)),
            ]
            if let email = order.email { blocks.append(.line(StyledText("E-mail: ", .dim) + StyledText(email))) }
            blocks += [.blank, .table(lines(order.lines)), .blank]
            blocks += TotalsText.blocks(order.totals)
            blocks += order.shipping.map({ [.line(StyledText(AddressText.line($0)))] }) ?? []
            if order.payment.refunded.amount > 0 {
                blocks.append(.line(StyledText("Refunded: ", .dim) + StyledText(order.payment.refunded)))
            }
            blocks +=
                [.blank] + order.history.map { .line(StyledText(time: $0.at, .dim) + "  " + StyledText($0.status)) }
            if order.status == .pending {
                blocks.append(
                    .line(
                        StyledText(
                            "The payment is being settled; `pouch order \(order.id)` shows how it ends.", .yellow)))
            }
            if let failure = order.deliveryFailure { blocks += self.blocks(failure, of: order) }
            return blocks
        }

        private static func blocks(_ failure: DeliveryFailure, of order: Order) -> [Block] {
            let rows = failure.methods.map { method in
                [
                    StyledText(method.id, .bold), StyledText(method.name), StyledText(method.price),
                    StyledText(method.estimate),
                ]
            }
            return [
                .blank,
                .line(
                    StyledText(DeliveryFailureText.sentence(failure.reason), .red)
                        + StyledText(" Choose another way: pouch ship \(order.id) --method METHOD")),
                .table(
                    Table(
                        columns: [
                            .init(title: "METHOD"), .init(title: "NAME"), .init(title: "PRICE", isNumber: true),
                            .init(title: "ESTIMATE"),
                        ], rows: rows)),
            ]
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
                        StyledText(line.sku), StyledText(line.name), StyledText(OptionsText.values(line.options)),
                        "\(line.quantity)",
                        StyledText(line.unitPrice), StyledText(line.lineTotal),
                    ]
                }
            )
        }
    }
#endif
