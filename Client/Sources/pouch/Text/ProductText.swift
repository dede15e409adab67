#if TerminalPrograms
    import PouchClient

    /// How products are shown: in a list, and one with all its variants.
    enum ProductText {
        static func list(_ products: [Product]) -> [Block] {
            guard !products.isEmpty else { return [.line("Nothing was found.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "NAME"), .init(title: "HANDLE"), .init(title: "PRICE"), .init(title: "STOCK"),
                        ],
                        rows: products.map { product in
                            [
                                Text(product.name, .bold), Text(product.handle),
                                Text(price: product.price, before: product.compareAtPrice),
                                Text(stock: product.available),
                            ]
                        }
                    ))
            ]
        }

        static func blocks(_ product: Product) -> [Block] {
            var blocks: [Block] = [
                .line(Text(product.name, .bold)),
                .line(
                    Text(price: product.price, before: product.compareAtPrice) + "  " + Text(stock: product.available)),
            ]
            if let description = product.description, !description.isEmpty {
                blocks += [.blank] + description.split(separator: "\n").map { .line(Text(String($0))) }
            }
            let facts = [
                ("Category", product.category),
                ("Materials", product.materials?.joined(separator: ", ")),
                ("Care", product.careInstructions),
                ("Tags", product.tags.joined(separator: ", ")),
            ].compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
            blocks += [.blank] + facts.map { .line(Text($0.0 + ": ", .dim) + Text($0.1)) }
            blocks += [.blank, .table(variants(product))]
            if let wanted = product.variants.first(where: { $0.available > 0 }) {
                blocks += [.blank, .line(Text("Add one: ", .dim) + Text("pouch cart add \(wanted.sku)"))]
            }
            return blocks
        }

        private static func variants(_ product: Product) -> Table {
            let options = product.options.map(\.name)
            return Table(
                columns: [.init(title: "SKU")] + options.map { .init(title: $0.uppercased()) }
                    + [.init(title: "PRICE"), .init(title: "STOCK")],
                rows: product.variants.map { variant in
                    [Text(variant.sku)] + options.map { Text(variant.options[$0] ?? "") } + [
                        Text(price: variant.price, before: variant.compareAtPrice), Text(stock: variant.available),
                    ]
                }
            )
        }
    }

    extension Product {
        /// Units of all variants, at most `Int.max`: a server may claim any figures.
        fileprivate var available: Int {
            variants.reduce(0) { sum, variant in
                let (next, overflows) = sum.addingReportingOverflow(max(0, variant.available))
                return overflows ? .max : next
            }
        }
    }
#endif
