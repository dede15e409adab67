extension CallSamples {
    static let products: [String: String] = [
        "managedProducts": "let drafts = try await pouch.admin.products(status: .draft)",
        "addProduct": """
        let terms = ProductTerms(
            name: "Samphire cardigan", variants: [VariantTerms(price: Money(12_900, .eur), stock: 5)])
        let product = try await pouch.admin.addProduct(terms)
        """,
        "managedProduct": #"let product = try await pouch.admin.product("samphire-cardigan")"#,
        "updateProduct": """
        var terms = ProductTerms(product)
        terms.description = "Warm and light."
        try await pouch.admin.changeProduct(product, to: terms)
        """,
        "addPicture": #"let picture = try await pouch.admin.addPicture(file: file, mediaType: "image/jpeg")"#,
        "exportProducts": "try await pouch.admin.exportProducts(to: file)",
        "managedCategories": "let page = try await pouch.admin.categories()",
        "setCategory": #"try await pouch.admin.setCategory(id: "cardigans", name: "Cardigans")"#,
        "deleteCategory": #"try await pouch.admin.removeCategory(id: "cardigans")"#,
        "managedSeasons": "let page = try await pouch.admin.seasons()",
        "setSeason": #"try await pouch.admin.setSeason(id: "71", SeasonTerms(name: "Autumn"))"#,
        "deleteSeason": #"try await pouch.admin.removeSeason(id: "71")"#,
        "managedThemes": "let page = try await pouch.admin.themes()",
        "setTheme": #"try await pouch.admin.setTheme(id: "711", name: "Coast", seasonId: "71")"#,
        "deleteTheme": #"try await pouch.admin.removeTheme(id: "711")"#,
        "managedPromotions": "let page = try await pouch.admin.promotions()",
        "setPromotions": #"try await pouch.admin.setPromotions([PromotionTerms(product: "samphire-cardigan")])"#,
        "updateVariant": #"try await pouch.admin.changeStock(sku: "71101-69-m", .adjust(5))"#,
        "scheduledPrices": #"let page = try await pouch.admin.scheduledPrices(sku: "71101-69-m")"#,
        "schedulePrice": """
        try await pouch.admin.schedulePrice(
            sku: "71101-69-m", Money(9_900, .eur), from: start, until: end)
        """,
        "deleteScheduledPrice": "try await pouch.admin.removeScheduledPrice(id: id)",
        "discounts": "let page = try await pouch.admin.discounts()",
        "discount": "let discount = try await pouch.admin.discount(id: id)",
        "addDiscount": """
        try await pouch.admin.addDiscount(DiscountTerms(code: "AUTUMN10", kind: .percentage, basisPoints: 1_000))
        """,
        "updateDiscount": """
        var terms = discount.terms
        terms.limit = 100
        try await pouch.admin.changeDiscount(discount, to: terms)
        """,
        "deleteDiscount": "try await pouch.admin.removeDiscount(id: id)",
        "importCatalog": """
        let started = try await pouch.admin.importCatalog(file: file, format: .shopifyCSV)
        let ended = try await pouch.admin.follow(started)
        """,
        "catalogImport": "let progress = try await pouch.admin.catalogImport(id: id)",
    ]

    static let admin: [String: String] = [
        "allOrders": "let page = try await pouch.admin.orders(OrderSearch(isUnsent: true))",
        "managedOrder": #"let order = try await pouch.admin.order("P-10001")"#,
        "updateOrder": """
        try await pouch.admin.track(id: id, Tracking(carrier: "DHL", number: "00340434161094015902"))
        """,
        "cancelManagedOrder": "try await pouch.admin.cancel(id: id)",
        "fulfilOrder": """
        try await pouch.admin.fulfil(id: id, tracking: Tracking(carrier: "DHL", number: "00340434161094015902"))
        """,
        "deliverOrder": "try await pouch.admin.deliver(id: id)",
        "refundOrder": """
        let lines = [Refund.Line(sku: "71101-69-m", quantity: 1)]
        let refund = try await pouch.admin.refund(
            orderId: id, RefundDraft(.lines(lines), reason: "One came with a hole."))
        """,
        "addOrderNote": #"try await pouch.admin.addNote("Rings twice.", toOrder: id)"#,
        "packingSlip": "let slip = try await pouch.admin.packingSlip(id: id)",
        "exportOrders": "try await pouch.admin.exportOrders(OrderSearch(status: .paid), to: file)",
        "customers": #"let page = try await pouch.admin.customers(search: "ann@example.com")"#,
        "customer": "let customer = try await pouch.admin.customer(id: id)",
        "exportCustomers": "try await pouch.admin.exportCustomers(to: file)",
    ]

    static let figures: [String: String] = [
        "salesReport": "let report = try await pouch.admin.sales(by: .week)",
        "stockLevels": "let page = try await pouch.admin.stock(atMost: 5)",
        "exportStock": "try await pouch.admin.exportStock(to: file)",
    ]

    static let webhooks: [String: String] = [
        "shopEvents": "let page = try await pouch.admin.events(after: lastSeen, type: .orderPaid)",
        "webhooks": "let page = try await pouch.admin.webhooks()",
        "addWebhook": """
        let added = try await pouch.admin.addWebhook(url: "https://hooks.example/pouch", types: [.orderPaid])
        """,
        "webhook": "let webhook = try await pouch.admin.webhook(id: id)",
        "updateWebhook": "try await pouch.admin.changeWebhook(id: id, WebhookChange(isActive: true))",
        "deleteWebhook": "try await pouch.admin.removeWebhook(id: id)",
        "rotateWebhookSecret": "let rotated = try await pouch.admin.rotateWebhookSecret(id: id)",
        "webhookDeliveries": "let page = try await pouch.admin.deliveries(webhookId: id, status: .failed)",
        "redeliverWebhook": "try await pouch.admin.redeliver(id: id)",
    ]

    static let staff: [String: String] = [
        "staff": "let page = try await pouch.admin.staff()",
        "inviteStaff": #"try await pouch.admin.inviteStaff(email: "sam@example.com", as: .support)"#,
        "changeStaffRole": "try await pouch.admin.changeStaffRole(id: id, to: .manager)",
        "removeStaff": "try await pouch.admin.removeStaff(id: id)",
        "apiKeys": "let page = try await pouch.admin.apiKeys()",
        "createAPIKey": """
        let key = try await pouch.admin.createAPIKey(name: "Warehouse", scopes: [.readOrders, .writeOrders])
        """,
        "revokeAPIKey": "try await pouch.admin.revokeAPIKey(id: id)",
        "auditLog": #"let page = try await pouch.admin.auditLog(AuditSelection(action: "updateVariant"))"#,
    ]
}
