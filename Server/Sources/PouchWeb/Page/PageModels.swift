import PouchTemplates

/// The values of a page. `PageModels.all` lists every type.
protocol PageModel: TemplateValues {
    /// The name of the template's file, without `.mustache`.
    static var template: String { get }
}

/// The values of all pages. An owner's templates may use their names.
enum PageModels {
    /// The values around those of a page.
    static let frames: [any TemplateValues.Type] = [PageFrame.self, AccountFrame.self, AdminFrame.self]

    static let all: [any PageModel.Type] = shop + account + administration

    private static let shop: [any PageModel.Type] = [
        HomeValues.self, ProductListValues.self, ProductPageValues.self, SuggestionsValues.self, CartValues.self,
        CheckoutValues.self, OrderValues.self, OrdersValues.self, OrderLinkValues.self, ProblemValues.self,
        NoticeValues.self, DocsValues.self, FeedValues.self, SiteMapValues.self, SiteMapIndexValues.self,
        RobotsValues.self, LLMsValues.self,
    ]

    private static let account: [any PageModel.Type] = [
        SignInValues.self, SignUpValues.self, AccountValues.self, ProfileValues.self, EmailValues.self,
        PasswordValues.self, AddressesValues.self, AddressValues.self, SessionsValues.self, DataValues.self,
        ResetRequestValues.self, ResetPasswordValues.self, VerifyEmailValues.self, JoinStaffValues.self,
    ]

    private static let administration: [any PageModel.Type] = [
        TodayValues.self, AdminOrdersValues.self, AdminOrderValues.self, PackingSlipValues.self, InvoiceValues.self,
        CustomersValues.self, CustomerValues.self, AdminProductsValues.self, AdminProductValues.self,
        AdminConflictValues.self, AdminStockValues.self, AdminTaxonomyValues.self, AdminFrontPageValues.self,
        AdminImportValues.self, DiscountsValues.self, DiscountValues.self, PricesValues.self, SettingsValues.self,
        WebhooksValues.self, WebhookValues.self, AdminMailsValues.self, AdminMailValues.self, StaffValues.self,
        KeysValues.self, AuditValues.self, HealthValues.self, AdminSearchValues.self, ShortcutsValues.self,
        AdminSignInValues.self, AdminConfirmValues.self, AdminSecondFactorValues.self, AdminProblemValues.self,
        StyleguideValues.self,
    ]
}
