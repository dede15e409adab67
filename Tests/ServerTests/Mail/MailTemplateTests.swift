import ServerTesting
import Testing

@testable import PouchMail
@testable import PouchTemplates

@Suite("Templates of mails")
struct MailTemplateTests {
    private static let shop = "Marks & Sons"

    private func write(
        _ kind: MailKind, _ content: MailContent? = nil, _ templates: MailTemplates? = nil
    ) throws -> MailMessage {
        let settings = MailSettings(
            destination: .folder(URL(filePath: "/")),
            from: try #require(MailAddress(address: "shop@example.com", name: Self.shop)),
            publicURL: "https://shop.example.com", templates: try templates ?? MailTemplates())
        return try MailWriter(settings, timeZone: .gmt, token: { "\($0.purpose)-token" }).message(
            QueuedMail(
                id: "mai_1", kind: kind, recipient: "ada@example.com", ownerId: nil,
                content: content ?? MailSamples.content(kind), createdAt: Date(timeIntervalSince1970: 0)))
    }

    private func loading(_ files: [String: String]) async throws -> MailTemplates {
        try await TemporaryFolder.use { folder in
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            return try MailTemplates(folder: folder)
        }
    }

    private func mistake(_ files: [String: String]) async -> TemplateMistake? {
        await #expect(throws: TemplateMistake.self) { _ = try await loading(files) }
    }

    @Test(arguments: MailKind.allCases)
    func `Every standard mail says the same as text and as a page, and leaves no gap`(kind: MailKind) throws {
        let content = MailSamples.content(kind)
        let mail = try write(kind, content)
        for text in [mail.subject, mail.text, mail.html] {
            #expect(!text.isEmpty && !text.contains("{{") && !text.contains("}}"))
        }
        let texts = [
            content.name, content.order?.number, content.invitation?.role, content.signIn?.address,
            content.webhook?.url, content.link.map { "\($0.purpose)-token" },
        ]
        for expected in texts.compactMap(\.self) {
            #expect(mail.text.contains(expected) && mail.html.contains(expected), "\(expected)")
        }
        #expect(mail.text.split(separator: "\n").allSatisfy { $0.count <= 72 || $0.contains("https://") })
        #expect(!mail.text.contains("\n\n\n\n") && !mail.html.contains("<img") && !mail.html.contains("http://"))
        #expect(mail.text.contains(Self.shop) && mail.html.contains("Marks &amp; Sons"))
    }

    @Test func `What a buyer or a feed writes is text, never markup`() throws {
        let script = "<script>alert('x')</script>"
        let mail = try write(.orderPaid, MailContent(order: .sample(named: script), name: "Bob\r\nSubject: x <b>"))
        #expect(!mail.html.contains("<script") && !mail.html.contains("<b>"))
        #expect(mail.html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"))
        #expect(mail.text.contains("1 × \(script)") && mail.text.contains("Hello Bob  Subject: x <b>,"))
        #expect(mail.subject == "Thank you for your order P-10001")
    }

    @Test(arguments: [
        ("<a href='x'>&</a>", "&lt;a href=&#39;x&#39;&gt;&amp;&lt;/a&gt;"),
        (
            "\"\u{301} <\u{338} '\u{308} &\u{20DD} >\u{301}",
            "&quot;\u{301} &lt;\u{338} &#39;\u{308} &amp;\u{20DD} &gt;\u{301}"
        ),
        ("a\u{0}\u{8}\u{B}\u{C}\u{1F}\u{FFFE}\u{FFFF}b\t\r\n", "ab\t\r\n"), ("ö😀\u{202E}", "ö😀\u{202E}"),
    ])
    func `Values are escaped for HTML and XML, also if accents follow the markup`(value: String, text: String) {
        #expect(Array(MarkupEscaping().escapeText(value).utf8) == Array(text.utf8))
    }

    @Test(arguments: [("EUR", 123_456, "€1,234.56"), ("JPY", 1_234, "1,234 for"), ("JOD", 12_345, "12.345")])
    func `Money has the decimal places of its currency`(code: String, amount: Int64, text: String) throws {
        let refund = Refund(id: "ref_1", amount: Money(amount, try #require(Currency(code: code))), createdAt: Date())
        let mail = try write(.orderRefunded, MailContent(order: .sample(named: "Cap"), refund: refund))
        #expect(mail.subject.contains(text), "\(mail.subject)")
    }

    @Test func `The mail of a refund lists its units, its amount, the sum of all refunds, and what is left`() throws {
        let mail = try write(.orderRefunded)
        let rows = mail.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for row in ["1 × Striped cardigan (green, M)", "This refund €66.38", "Total refunded €79.65"] {
            #expect(rows.contains(row), "\(mail.text)")
        }
        let end = ["Tax included €13.50", "Order total €84.55", "Refunded −€79.65", "Total after refunds €4.90"]
        #expect(rows.filter { $0.contains("€") }.suffix(4) == end[...], "\(rows)")
        // Two units were bought, and one of them was refunded before.
        #expect(mail.text.contains("\n1 × Wool socks") && mail.text.contains("\n2 × Wool socks"))
        for text in ["1 × Striped cardigan", "1 × Wool socks", ">€66.38<", ">€79.65<"] {
            #expect(mail.html.contains(text), "\(mail.html)")
        }
        #expect(!mail.text.contains("in full"))
        let ofAmount = Refund(id: "ref_1", amount: Money(200, .eur), createdAt: Date())
        let plain = try write(.orderRefunded, MailContent(order: .sample(named: "Cap"), refund: ofAmount))
        #expect(!plain.text.contains("Refunded\n") && !plain.html.contains("colspan"))
    }

    @Test(arguments: [(false, "All other sessions have ended."), (true, "All sessions have ended.")])
    func `The mail of a changed password says which sessions have ended`(isReset: Bool, sessions: String) throws {
        let change = MailContent.PasswordChange(at: Date(timeIntervalSince1970: 0), isReset: isReset)
        let mail = try write(.passwordChanged, MailContent(name: "Ada", passwordChange: change))
        let text = mail.text.replacing("\n", with: " ")
        #expect(text.contains(sessions) && mail.html.contains(sessions))
        #expect(text.contains("1970") && text.contains("using a link we sent") == isReset)
        #expect(mail.subject == "Your password at \(Self.shop) was changed")
    }

    @Test func `A cancelled order that was not charged promises no money`() throws {
        // Lines are wrapped anywhere.
        func text(_ order: Order) throws -> String {
            try write(.orderCancelled, MailContent(order: order)).text.replacing("\n", with: " ")
        }
        let failed = try text(.sample(named: "Cap", payment: .failed))
        #expect(failed.contains("You were not charged.") && !failed.contains("refunding"))
        let charged = try text(.sample(named: "Cap"))
        #expect(charged.contains("We are refunding €10.00.") && !charged.contains("not charged"))
    }

    @Test(arguments: [MailKind.orderSent, .orderTrackingChanged, .orderDelivered])
    func `A mail about a parcel lists the units in it, and what they cost after refunds`(kind: MailKind) throws {
        func eur(_ cents: Int64) -> Money { Money(cents, .eur) }
        let lines = [("Tweed", 1, 0), ("Umber", 2, 1), ("Scarf", 1, 1)].map { name, quantity, refunded in
            OrderLine(
                sku: name, name: name, options: [:], quantity: quantity, unitPrice: eur(1_000),
                lineTotal: eur(1_000 * Int64(quantity)), discount: eur(0), tax: eur(0), refundedQuantity: refunded)
        }
        let order = Order(
            id: "ord_1", number: "P-10001", status: .fulfilled, lines: lines,
            totals: Totals(items: eur(4_000), discount: eur(0), shipping: eur(490), tax: eur(717), total: eur(4_490)),
            payment: Payment(id: "pay_1", status: .partiallyRefunded, amount: eur(4_490), refunded: eur(2_200)),
            shipping: nil, tracking: Tracking(carrier: "DHL", number: "1"), email: "ada@example.com",
            createdAt: Date(), history: [])
        let mail = try write(kind, MailContent(order: order))
        let rows = mail.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            rows.filter { $0.contains("€") } == [
                "1 × Tweed €10.00", "1 × Umber €10.00", "Order total €44.90", "Refunded −€22.00",
                "Total after refunds €22.90",
            ], "\(mail.text)")
        for text in ["1 × Umber", ">Total after refunds<", ">€22.90<", ">−€22.00<"] {
            #expect(mail.html.contains(text), "\(mail.html)")
        }
        #expect(!mail.html.contains("Scarf") && !mail.html.contains(">Total<") && !mail.html.contains("€7.17"))
    }

    @Test(
        arguments: [
            ("AU", "NSW", ["Sydney NSW 2000"]), ("GB", nil, ["Sydney", "2000"]), ("DE", nil, ["2000 Sydney"]),
            ("DE", "Hesse", ["2000 Sydney", "Hesse"]), ("IT", "RM", ["2000 Sydney RM"]),
            ("IN", "Goa", ["Sydney 2000", "Goa"]), ("BR", "SP", ["Sydney SP", "2000"]),
            ("HK", "KLN", ["Sydney", "KLN", "2000"]), ("US", "Sydney", ["Sydney 2000"]),
        ] as [(String, String?, [String])])
    func `An address is in the order of its country's post`(country: String, region: String?, place: [String]) {
        let address = Address(
            name: "Ada", line1: "1 Main Rd", city: "Sydney", region: region, postalCode: "2000", country: country)
        // Without the country's name.
        #expect(Array(address.lines().dropLast()) == ["Ada", "1 Main Rd"] + place)
    }

    @Test func `A file replaces one template, and the others stay`() async throws {
        let templates = try await loading(["orderPaid.txt": "Subject: Cheers {{order.number}}\n\n{{name}} & co\n"])
        let mail = try write(.orderPaid, nil, templates)
        #expect(mail.subject == "Cheers P-10001" && mail.text == "Ada Lovelace & co\n")
        #expect(try mail.html == write(.orderPaid).html)
        #expect(try write(.orderSent, nil, templates) == write(.orderSent))
    }

    @Test func `The standard templates can be replaced by themselves`() async throws {
        #expect(Set(MailTemplates.defaults.keys) == Set(MailTemplates.fileNames))
        let templates = try await loading(MailTemplates.defaults)
        for kind in MailKind.allCases { #expect(try write(kind, nil, templates) == write(kind)) }
    }

    @Test(arguments: MailKind.allCases)
    func `A template can use the values of its kind's sample, and no others`(kind: MailKind) {
        let values = MailFormatter(timeZone: .gmt).values(
            kind, MailSamples.content(kind), shop: Self.shop, url: "https://shop.example.com", link: "link")
        #expect(MailValues.names(for: [kind]) == Self.names(in: values, path: []))
    }

    /// The names of all values that are not nil: the path of each, and the ends of the path.
    private static func names(in value: Any, path: [String]) -> Set<String> {
        let mirror = Mirror(reflecting: value)
        var names: Set<String> = []
        if mirror.displayStyle != .optional {
            for start in path.indices { names.insert(path[start...].joined(separator: ".")) }
        }
        for child in mirror.children {
            let name = mirror.displayStyle == .struct ? child.label : nil
            names.formUnion(Self.names(in: child.value, path: path + [name].compactMap(\.self)))
        }
        return names
    }

    @Test(arguments: [
        ("orderPaid.txt", "Subject: x\n\nHello {{name\n", 3),
        ("orderPaid.txt", "Subject: x\n\n{{#order}}\n{{number}}\n{{/ordre}}\n", 5),
        ("orderPaid.html", "<p>\n{{order.nubmer}}</p>\n", 2),
        ("orderPaid.html", "<p>{{signIn.address}}</p>\n", 1),
        ("newSignIn.txt", "Hello\n", 1),
        ("layout.html", "<p>{{$content}}{{/content}} {{shop.nmae}}</p>\n", 1),
    ])
    func `A mistake is reported with its file, line and column`(file: String, text: String, line: Int) async throws {
        let mistake = try #require(await mistake([file: text]))
        #expect(mistake.file.hasSuffix("/" + file))
        #expect(mistake.line == line, "\(mistake)")
        #expect((mistake.column ?? 0) > 0)
    }

    @Test func `The column is that of the wrong name`() async throws {
        #expect(await mistake(["orderPaid.html": "<p>{{name}} {{nmae}}</p>\n"])?.column == 13)
    }

    @Test func `A file that no mail uses is a mistake, and hidden files are not`() async throws {
        #expect(await mistake(["orderPayed.txt": "Subject: x\n"])?.problem.contains("orderPaid.txt") == true)
        _ = try await loading([".orderPaid.txt.swp": "{{"])
    }
}

extension Order {
    fileprivate static func sample(named name: String, payment: Payment.Status = .captured) -> Order {
        let price = Money(1_000, .eur)
        return Order(
            id: "ord_1", number: "P-10001", status: .paid,
            lines: [
                OrderLine(
                    sku: "cap", name: name, options: [:], quantity: 1, unitPrice: price, lineTotal: price,
                    discount: .zero(.eur), tax: .zero(.eur), refundedQuantity: 0)
            ],
            totals: Totals(items: price, discount: .zero(.eur), shipping: .zero(.eur), tax: .zero(.eur), total: price),
            payment: Payment(id: "pay_1", status: payment, amount: price, refunded: .zero(.eur)), shipping: nil,
            email: "ada@example.com", createdAt: Date(), history: [])
    }
}
