extension Endpoint {
    public static let signUp = Endpoint("signUp", .post, "/v1/accounts", .anyone)
    public static let signIn = Endpoint("signIn", .post, "/v1/sessions", .anyone)
    public static let startGuestSession = Endpoint("startGuestSession", .post, "/v1/sessions/guest", .anyone)
    public static let refreshSession = Endpoint("refreshSession", .post, "/v1/sessions/refresh", .anyone)
    public static let signOut = Endpoint("signOut", .delete, "/v1/sessions/current", .guestOrCustomer)

    public static let profile = Endpoint("profile", .get, "/v1/account", .customer)
    public static let updateProfile = Endpoint("updateProfile", .patch, "/v1/account", .customer)
    public static let deleteAccount = Endpoint("deleteAccount", .delete, "/v1/account", .customer)
    public static let changePassword = Endpoint("changePassword", .put, "/v1/account/password", .customer)

    public static let addresses = Endpoint("addresses", .get, "/v1/account/addresses", .customer)
    public static let addAddress = Endpoint("addAddress", .post, "/v1/account/addresses", .customer)
    public static let updateAddress = Endpoint("updateAddress", .patch, "/v1/account/addresses/{id}", .customer)
    public static let deleteAddress = Endpoint("deleteAddress", .delete, "/v1/account/addresses/{id}", .customer)

    static let account = [
        signUp, signIn, startGuestSession, refreshSession, signOut,
        profile, updateProfile, deleteAccount, changePassword,
        addresses, addAddress, updateAddress, deleteAddress,
    ]
}
